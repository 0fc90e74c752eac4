/** The page: choose a file, watch the checks, read the verdict, look at the game. The same script is the worker's. */
import { KIND } from '../src/entry.mjs';
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
    Object.assign(this, { stop: null, file: null, progress: null, phases: [], faults: 0, report: null, problem: null });
  }

  get texts() {
    return TEXTS[this.language];
  }

  async open(file) {
    this.reset();
    this.file = file.name;
    this.progress = { done: 0, of: 1 };
    this.render();
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.stop = check(bytes, (message) => this.told(message));
  }

  told({ taken, done, of, report, notAGame, failed }) {
    for (const one of taken) this.addPhase(one);
    if (done !== undefined) this.progress = { done, of };
    if (report || notAGame || failed) {
      this.progress = null;
      this.report = report ?? null;
      this.problem = notAGame ?? failed ?? null;
    }
    this.render();
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
    document.documentElement.lang = this.language;
    document.title = texts.title;
    this.root.replaceChildren(
      this.header(),
      ...(this.file === null ? [this.chooser()] : [this.verdict(), this.scores(), this.stepList(), this.counts(), this.replay()]).filter(Boolean),
    );
  }

  header() {
    const button = (language, label) =>
      el('button', { type: 'button', 'aria-pressed': this.language === language, onclick: () => { this.language = language; this.render(); } }, label);
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

  /** The colour, the heading and the sentences of the verdict. */
  outcome() {
    const { texts, report } = this;
    if (report === null) return ['bad', texts.noGame, [fill(texts.noGameMore, this.problem)]];
    const names = report.departed.map((seat) => report.players[seat]).join(texts.and);
    const { fault } = report;
    if (fault) {
      const named = fault.seat !== null && !/^(wire|entry|log\/(order|head))/.test(fault.code);
      const sentence = named ? fill(texts.badSeat, report.players[fault.seat], fault.step) : fill(texts.badNobody, fault.step);
      const all = report.departed.length > 1 ? [fill(texts.badAll, names)] : [];
      return ['bad', texts.bad, [sentence, ...all, fill(texts.code, fault.code)]];
    }
    if (report.departed.length) return ['open', texts.broken, [fill(texts.brokenMore, names)]];
    if (!report.complete) return ['open', texts.open, [fill(texts.openMore, report.rounds)]];
    return ['good', texts.good, [fill(texts.goodMore, report.rounds)]];
  }

  verdict() {
    const { texts, report, progress } = this;
    if (progress) {
      return el(
        'section',
        { class: 'panel' },
        el('p', {}, this.file),
        el('progress', { max: progress.of, value: progress.done }),
        el('p', { 'aria-live': 'off' }, fill(texts.working, progress.done, progress.of)),
      );
    }
    const [colour, heading, sentences] = this.outcome();
    const marks = { good: '✓', open: '…', bad: '✗' };
    const winners = report?.winners.length ? fill(texts.winner, report.winners.map((seat) => report.players[seat]).join(texts.and)) : null;
    return el(
      'section',
      { class: `panel verdict ${colour}`, role: 'status' },
      el('h2', {}, `${marks[colour]} ${heading}`),
      sentences.map((sentence) => el('p', {}, sentence)),
      winners ? el('p', {}, winners) : null,
      report?.seeded ? el('p', { class: 'note' }, texts.seeded) : null,
      el('p', { class: 'note' }, `${this.file}${report ? ` · ${fill(texts.card, report.rules)}` : ''}`),
      this.input(texts.other),
    );
  }

  stepList() {
    const { texts, phases } = this;
    if (phases.length === 0) return null;
    const rounds = [...new Set(phases.map(({ round }) => round))];
    const line = ({ name, count, bad }, current) => {
      const [title, what] = texts.phases[name];
      const mark = bad ? '✗' : name === 'void' ? '■' : current ? '…' : '✓';
      const colour = bad ? 'bad' : name === 'void' ? '' : 'good';
      return el('li', { class: colour }, el('b', {}, `${mark} ${title}`), ` ${bad ? texts.phaseBad : what}`, el('small', {}, ` ${fill(texts.times, count)}`));
    };
    const latest = phases.at(-1);
    return el(
      'section',
      { class: 'panel' },
      el('h2', {}, texts.steps),
      rounds.map((round) =>
        el(
          'details',
          { open: (this.progress !== null && round === rounds.at(-1)) || phases.some((one) => one.round === round && one.bad) },
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
    const row = (label, values, cell = 'td') => el('tr', {}, el('th', { scope: 'row' }, label), values.map((value) => el(cell, {}, value)));
    const final = report.final.some((value, seat) => value !== String(report.scores[seat])) ? row(texts.final, report.final.map((value) => value.replace('.', texts.point))) : null;
    return el(
      'section',
      { class: 'panel' },
      el('h2', {}, texts.scores),
      el(
        'div',
        { class: 'wide' },
        el(
          'table',
          {},
          el('thead', {}, row('', report.players, 'th')),
          el('tbody', {}, report.points.map((points, i) => row(fill(texts.round, i + 1), points)), row(texts.total, report.scores), final),
        ),
      ),
    );
  }

  replay() {
    return this.report ? replayView(this.texts, this.report) : null;
  }
}

if (typeof document === 'undefined') serve(self);
else new Page(document.getElementById('page'));
