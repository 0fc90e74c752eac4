/** The page: choose a file, watch the checks, read the verdict, look at the game. The same script is the worker's. */
import { KIND } from '../src/entry.mjs';
import { EQUIVOCATION } from '../src/evidence.mjs';
import { layerOf } from '../src/fault.mjs';
import { check, serve } from './checker.mjs';
import { el } from './dom.mjs';
import { replayView } from './replay.mjs';
import { TEXTS, fill } from './texts.mjs';

const PHASE_OF = {
  [KIND.seat]: 'seat', [KIND.commit]: 'commit', [KIND.open]: 'open', [KIND.shuffle]: 'shuffle', [KIND.ready]: 'ready',
  [KIND.deal]: 'deal', [KIND.exchange]: 'exchange', [KIND.draw]: 'turns', [KIND.shares]: 'turns', [KIND.play]: 'turns',
  [KIND.end]: 'end', [KIND.show]: 'show', [KIND.audit]: 'audit', [KIND.verdict]: 'verdict', [KIND.void]: 'void',
  [KIND.expired]: 'void',
};

class Page {
  constructor(root) {
    this.root = root;
    /** Read aloud whenever its text changes; never replaced. */
    this.status = el('p', { class: 'unseen', role: 'status' });
    root.before(this.status);
    this.language = navigator.language?.startsWith('nl') || !navigator.language ? 'nl' : 'en';
    this.reset();
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) this.open(file);
    });
    this.render();
  }

  reset() {
    this.stop?.();
    this.watching?.stop();
    Object.assign(this, {
      stop: null, file: null, progress: null, phases: [], faults: 0, report: null, ruling: null, problem: null, defect: null,
      watching: { round: 0, at: 0, stop: () => {} }, unfolded: new Map(),
    });
  }

  get texts() {
    return TEXTS[this.language];
  }

  async open(file) {
    this.reset();
    this.file = file.name;
    this.progress = { done: 0, of: 1 };
    this.render();
    this.status.textContent = this.texts.begun;
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      this.told({ taken: [], notAGame: 'file/unreadable' }); // a folder, or a file that is gone
      return;
    }
    this.stop = check(bytes, (message) => this.told(message));
  }

  told({ taken, done, of, report = null, ruling = null, notAGame = null, failed = null }) {
    for (const one of taken) this.addPhase(one);
    if (done !== undefined) {
      this.progress = { done, of };
      this.renderProgress();
      return;
    }
    Object.assign(this, { progress: null, report, ruling, problem: notAGame, defect: failed });
    const focused = this.root.contains(document.activeElement) && document.activeElement.closest('header');
    this.render();
    this.status.textContent = this.outcome().heading;
    if (!focused) this.root.querySelector('.verdict h2').focus();
  }

  /** Entries of one kind after another are one line of the list. */
  addPhase({ kind, round, step, faults }) {
    let name = PHASE_OF[kind] ?? 'void';
    const last = this.phases.at(-1);
    const shuffling = name === 'shuffle' || name === 'ready';
    if (shuffling && last?.round === round && ['turns', 'reshuffle', 'exchange'].includes(last.name)) name = 'reshuffle';
    const bad = faults > this.faults;
    this.faults = faults;
    if (last && last.name === name && last.round === round) {
      last.count += 1;
      last.bad ||= bad;
      return;
    }
    this.phases.push({ name, round: name === 'seat' ? 0 : round, step, count: 1, bad });
  }

  render() {
    const { texts } = this;
    this.watching.stop();
    document.documentElement.lang = this.language;
    document.title = texts.title;
    const parts = this.file === null
      ? [this.chooser()]
      : [this.progress ? this.working() : this.verdict(), this.proof(), this.scores(), this.stepList(), this.counts(), this.replay()];
    this.root.replaceChildren(this.header(), ...parts.filter(Boolean));
  }

  /** Only what changes while a file is checked, so that focus and what is unfolded stay. */
  renderProgress() {
    this.root.querySelector('.working').replaceWith(this.working());
    this.root.querySelector('.steps')?.remove();
    const list = this.stepList();
    if (list) this.root.append(list);
  }

  header() {
    const speak = (language) => {
      this.language = language;
      this.render();
      this.root.querySelector('[aria-pressed="true"]').focus();
    };
    const button = (language, label) =>
      el('button', { type: 'button', lang: language, 'aria-pressed': this.language === language, onclick: () => speak(language) }, label);
    return el(
      'header',
      {},
      el('h1', {}, this.texts.title),
      el('div', { class: 'languages' }, button('nl', 'Nederlands'), button('en', 'English')),
    );
  }

  input(label) {
    const input = el('input', { type: 'file', onchange: () => input.files[0] && this.open(input.files[0]) });
    return el('label', { class: 'file' }, label, input);
  }

  chooser() {
    const { texts } = this;
    return el('section', { class: 'panel chooser' }, el('p', {}, texts.intro), this.input(texts.choose), el('p', {}, texts.drop));
  }

  working() {
    const { texts, progress } = this;
    return el(
      'section',
      { class: 'panel working' },
      el('p', {}, this.file),
      el('progress', { max: progress.of, value: progress.done, 'aria-label': texts.begun }),
      el('p', {}, fill(texts.working, progress.done, progress.of)),
    );
  }

  /** Colour, heading and sentences of the verdict, and the layer and code of what is wrong. */
  outcome() {
    const { texts, report, ruling, problem, defect } = this;
    if (defect) return { colour: 'bad', heading: texts.defect, sentences: [texts.defectMore], code: defect };
    if (problem) return { colour: 'bad', heading: texts.noGame, sentences: [texts.unreadable[problem] ?? texts.unreadable.other], code: problem };
    if (ruling?.proven) return { colour: 'good', heading: texts.proven, sentences: [texts.provenMore] };
    if (ruling) return { colour: 'bad', heading: texts.notProven, sentences: [texts.why[ruling.why] ?? texts.why.other], code: ruling.why };
    const names = report.departed.map((seat) => report.players[seat]).join(texts.and);
    const { fault, layer, record } = report;
    const playedOn = record.playing.length < report.players.length ? [fill(texts.playedOn, names)] : [];
    if (fault) {
      const named = fault.seat !== null && !/^(wire|entry|log\/(order|head))/.test(fault.code);
      const sentence = named ? fill(texts.badSeat, report.players[fault.seat], fault.step) : fill(texts.badNobody, fault.step);
      const all = playedOn.length === 0 && report.departed.length > 1 ? [fill(texts.badAll, names)] : playedOn;
      return { colour: 'bad', heading: texts.bad, sentences: [sentence, ...(named ? [texts.layers[layer]] : []), ...all], layer, code: fault.code };
    }
    if (record.brokenOff) return { colour: 'open', heading: texts.broken, sentences: [fill(texts.brokenMore, names)] };
    if (!report.complete) return { colour: 'open', heading: texts.open, sentences: [fill(texts.openMore, report.rounds), ...playedOn] };
    return { colour: 'good', heading: texts.good, sentences: [fill(texts.goodMore, report.rounds), ...playedOn] };
  }

  verdict() {
    const { texts, report } = this;
    const { colour, heading, sentences, layer, code } = this.outcome();
    const marks = { good: '✓', open: '…', bad: '✗' };
    const winners = report?.winners.length ? fill(texts.winner, report.winners.map((seat) => report.players[seat]).join(texts.and)) : null;
    const note = (...children) => el('p', { class: 'note' }, ...children);
    return el(
      'section',
      { class: `panel verdict ${colour}`, 'data-layer': layer ?? null, 'data-code': code ?? null },
      el('h2', { tabindex: -1 }, el('span', { 'aria-hidden': true }, `${marks[colour]} `), heading),
      sentences.map((sentence) => el('p', {}, sentence)),
      code ? note(fill(layer ? texts.layerAndCode : texts.code, code, layer)) : null,
      winners ? el('p', {}, winners) : null,
      report?.seeded ? note(texts.seeded) : null,
      note(`${this.file}${report ? ` · ${fill(texts.card, report.rules)}` : ''}`),
      this.input(texts.other),
    );
  }

  /** Of evidence: who is named for what, and what was looked at. */
  proof() {
    const { texts, ruling } = this;
    if (!ruling) return null;
    const two = ruling.findings[0].code === EQUIVOCATION;
    const sentences = ({ code, seat, step }) => {
      const [player, own] = [ruling.players[seat], texts.findings[code]];
      return own ? fill(own, player, step) : [fill(texts.badSeat, player, step), texts.layers[layerOf(code)]].filter(Boolean).join(' ');
    };
    const finding = (one) => el('li', {}, sentences(one), el('small', {}, ` ${fill(texts.code, one.code)}`));
    return el(
      'section',
      { class: 'panel' },
      el('h2', {}, ruling.proven ? texts.accusation : texts.claimed),
      el('ul', {}, ruling.findings.map(finding)),
      ruling.proven ? el('p', { class: 'note' }, two ? texts.provenByTwo : texts.provenByLog) : null,
    );
  }

  stepList() {
    const { texts, phases, unfolded } = this;
    if (phases.length === 0) return null;
    const rounds = [...new Set(phases.map(({ round }) => round))];
    const isOpen = (round) => (this.progress !== null && round === rounds.at(-1)) || phases.some((one) => one.round === round && one.bad);
    const line = ({ name, count, bad }, current) => {
      const [title, what] = texts.phases[name];
      const mark = bad ? '✗' : name === 'void' ? '■' : current ? '…' : '✓';
      const colour = bad ? 'bad' : name === 'void' ? '' : 'good';
      return el('li', { class: colour }, el('b', {}, `${mark} ${title}`), ` ${bad ? texts.phaseBad : what}`, el('small', {}, ` ${fill(texts.times, count)}`));
    };
    const latest = phases.at(-1);
    return el(
      'section',
      { class: 'panel steps' },
      el('h2', {}, texts.steps),
      rounds.map((round) =>
        el(
          'details',
          { open: unfolded.get(round) ?? isOpen(round), onclick: ({ currentTarget, target }) => target.closest('summary') && unfolded.set(round, !currentTarget.open) },
          el('summary', {}, round === 0 ? texts.table : fill(texts.round, round)),
          el('ul', {}, phases.filter((one) => one.round === round).map((one) => line(one, this.progress !== null && one === latest))),
        ),
      ),
    );
  }

  counts() {
    const { texts, report } = this;
    if (!report) return null;
    const rows = Object.entries(report.checks).map(([key, count]) => el('tr', {}, el('td', {}, count), el('td', {}, texts.counts[key])));
    return el('section', { class: 'panel' }, el('h2', {}, texts.checks), el('table', {}, el('tbody', {}, rows)));
  }

  scores() {
    const { texts, report } = this;
    if (!report || report.points.length === 0) return null;
    const finished = report.record.rounds.filter(({ points }) => points !== null);
    const row = (label, values) => el('tr', {}, el('th', { scope: 'row' }, label), values.map((value) => el('td', {}, value)));
    const heads = el('tr', {}, el('td'), report.players.map((name) => el('th', { scope: 'col' }, name)));
    const final = report.final.some((value, seat) => value !== String(report.scores[seat])) ? row(texts.final, report.final.map((value) => value.replace('.', texts.point))) : null;
    return el(
      'section',
      { class: 'panel' },
      el('h2', {}, texts.scores),
      el(
        'div',
        { class: 'wide', role: 'region', 'aria-label': texts.scores, tabindex: 0 },
        el(
          'table',
          {},
          el('thead', {}, heads),
          el('tbody', {}, finished.map(({ round, points }) => row(fill(texts.round, round), points)), row(texts.total, report.scores), final),
        ),
      ),
    );
  }

  replay() {
    return this.report ? replayView(this.texts, this.report, this.watching) : null;
  }
}

if (typeof document === 'undefined') serve(self);
else new Page(document.getElementById('page'));
