#!/usr/bin/env node
/**
 * `node verify.mjs FILE [--json]`: exit code 0 nothing is wrong, 1 a fault, 2 the file cannot be read as a game (3: a defect
 * here). `--evidence`: 0 the file proves what it says, 1 it does not, 2 it cannot be read as evidence.
 */
import { readFileSync } from 'node:fs';
import { verifyEvidenceNow } from './src/evidence.mjs';
import { NotAGame } from './src/fault.mjs';
import { verifyNow } from './src/file.mjs';
import { finalScores } from './src/scores.mjs';

const LABELS = {
  signatures: 'signatures', commitments: 'commitments', shuffle_proofs: 'shuffle proofs', shares: 'card shares',
  opened_cards: 'opened cards', moves: 'moves against the rules', audited_shuffles: 'recomputed shuffles',
};

function describe(report) {
  const { fault, checks, players, scores, winners, genesis } = report;
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
  const final = finalScores(genesis.card, scores);
  lines.push('', `scores: ${players.map((name, i) => `${name} ${scores[i]} (final ${final[i]})`).join(', ')}`);
  if (winners.length) lines.push(`winners: ${winners.map((seat) => players[seat]).join(', ')}`);
  lines.push(`head of the log: ${report.head}`);
  return lines.join('\n');
}

function describeEvidence({ proven, why, findings, players }) {
  const lines = findings.map(({ code, seat, step }) => `seat ${seat} (${players[seat]}), step ${step}: ${code}`);
  return [proven ? 'Proven:' : `NOT PROVEN (${why}):`, ...lines].join('\n');
}

/** Check one file; returns the exit code. */
function main(argv) {
  const json = argv.includes('--json');
  const files = argv.filter((one) => !one.startsWith('--'));
  if (files.length !== 1 || argv.some((one) => one.startsWith('--') && one !== '--json' && one !== '--evidence')) {
    console.error('usage: node verify.mjs [--evidence] FILE [--json]');
    return 2;
  }
  let report;
  try {
    const bytes = new Uint8Array(readFileSync(files[0]));
    if (argv.includes('--evidence')) {
      const ruling = verifyEvidenceNow(bytes);
      console.log(json ? JSON.stringify(ruling) : describeEvidence(ruling));
      return ruling.proven ? 0 : 1;
    }
    report = verifyNow(bytes);
  } catch (error) {
    if (!(error instanceof NotAGame) && error.code !== 'ENOENT' && error.code !== 'EISDIR') throw error;
    const code = error instanceof NotAGame ? error.code : 'file/unreadable';
    console.log(json ? JSON.stringify({ ok: false, complete: false, fault: null, error: code }) : `not a game: ${error.message}`);
    return 2;
  }
  if (json) {
    const { genesis, record, ...shown } = report;
    console.log(JSON.stringify(shown));
  } else {
    console.log(describe(report));
  }
  return report.ok ? 0 : 1;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  // Neither a fault of the game nor of the file: nobody may take it for a verdict.
  console.error('this verifier has a defect:', error);
  process.exitCode = 3;
}
