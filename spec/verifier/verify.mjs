#!/usr/bin/env node
/**
 * `node verify.mjs FILE [--json]`: exit code 0 nothing is wrong, 1 a fault, 2 the file cannot be read as a game (3: a defect
 * here). `--evidence`: 0 the file proves what it says, 1 it does not, 2 it cannot be read as evidence. `--lines`: many files
 * in one process, named on the input.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { verifyEvidenceNow } from './src/evidence.mjs';
import { NotAGame } from './src/fault.mjs';
import { verifyNow } from './src/file.mjs';
import { finalScores } from './src/scores.mjs';

const LABELS = {
  signatures: 'signatures', commitments: 'commitments', shuffle_proofs: 'shuffle proofs', shares: 'card shares',
  opened_cards: 'opened cards', moves: 'moves checked and legal', audited_shuffles: 'recomputed shuffles',
};

function describe(report) {
  const { fault, checks, players, scores, winners, genesis, record } = report;
  const lines = [];
  if (fault) {
    const who = fault.seat === null ? 'nobody is named' : `seat ${fault.seat} (${players[fault.seat]})`;
    lines.push(`FAULT ${fault.code} in step ${fault.step}, ${who}${fault.detail ? `: ${fault.detail}` : ''}`);
  } else {
    const end = report.complete ? 'the game is over' : 'the game is not over yet';
    lines.push(`All right: everything holds, ${report.rounds} rounds, ${end}.`);
  }
  if (report.seeded) lines.push('This is a test game from a known seed: not secret.');
  lines.push('', 'checked:', ...Object.entries(checks).map(([key, count]) => `  ${LABELS[key].padEnd(26)}${count}`));
  const final = finalScores(genesis.card, scores, record.playing);
  lines.push('', `scores: ${players.map((name, i) => `${name} ${scores[i]} (final ${final[i]})`).join(', ')}`);
  if (winners.length) lines.push(`winners: ${winners.map((seat) => players[seat]).join(', ')}`);
  lines.push(`head of the log: ${report.head}`);
  return lines.join('\n');
}

function describeEvidence({ proven, why, findings, players }) {
  const lines = findings.map(({ code, seat, step }) => `seat ${seat} (${players[seat]}), step ${step}: ${code}`);
  return [proven ? 'Proven:' : `NOT PROVEN (${why}):`, ...lines].join('\n');
}

/** What there is to say of one file: the exit code, and a report or a ruling, or else the code of an error and its text. */
function judge(file, evidence) {
  try {
    const bytes = new Uint8Array(readFileSync(file));
    if (evidence) {
      const ruling = verifyEvidenceNow(bytes);
      return { exit: ruling.proven ? 0 : 1, ruling };
    }
    const report = verifyNow(bytes);
    return { exit: report.ok ? 0 : 1, report };
  } catch (error) {
    if (!(error instanceof NotAGame) && error.code !== 'ENOENT' && error.code !== 'EISDIR') throw error;
    return { exit: 2, error: error instanceof NotAGame ? error.code : 'file/unreadable', text: error.message };
  }
}

function asJson({ report, ruling, error }) {
  if (error) return JSON.stringify({ ok: false, complete: false, fault: null, error });
  if (ruling) return JSON.stringify(ruling);
  const { genesis, record, ...shown } = report;
  return JSON.stringify(shown);
}

function asText({ report, ruling, error, text }) {
  if (error) return `not a game: ${text}`;
  return ruling ? describeEvidence(ruling) : describe(report);
}

/** Check one file; returns the exit code. */
function main(argv) {
  const files = argv.filter((one) => !one.startsWith('--'));
  if (files.length !== 1 || argv.some((one) => one.startsWith('--') && one !== '--json' && one !== '--evidence')) {
    console.error('usage: node verify.mjs [--evidence] FILE [--json]\n       node verify.mjs --lines');
    return 2;
  }
  const judged = judge(files[0], argv.includes('--evidence'));
  console.log(argv.includes('--json') ? asJson(judged) : asText(judged));
  return judged.exit;
}

/** Check the file of every line `[--evidence] FILE` of the input, and answer each at once by a line `EXIT-CODE JSON`. */
async function lines() {
  for await (const line of createInterface({ input: process.stdin })) {
    const evidence = line.startsWith('--evidence ');
    const judged = judge(evidence ? line.slice('--evidence '.length) : line, evidence);
    process.stdout.write(`${judged.exit} ${asJson(judged)}\n`);
  }
  return 0;
}

try {
  const argv = process.argv.slice(2);
  process.exitCode = argv.length === 1 && argv[0] === '--lines' ? await lines() : main(argv);
} catch (error) {
  // Neither a fault of the game nor of the file: nobody may take it for a verdict.
  console.error('this verifier has a defect:', error);
  process.exitCode = 3;
}
