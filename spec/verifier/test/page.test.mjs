/**
 * The page in a real browser, opened from disk: what people see of an honest game, a false one, evidence, and garbage.
 *
 * Needs Chromium (`/usr/bin/chromium`, or the program that CHROMIUM names); without it these tests are skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { KIND } from '../src/entry.mjs';
import { Maker } from './support/maker.mjs';
import { cardText } from './support/presets.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip = existsSync(BROWSER) ? false : `no ${BROWSER}`;
const PAGE = new URL('../duizenden-verify.html', import.meta.url).href;
const GAMES = new URL('../../vectors/games/', import.meta.url);
const VERDICTS = JSON.parse(readFileSync(new URL('verdicts.json', GAMES)));
const LOCALES = ['nl-NL', 'en-GB'];

const vector = (name) => ({ name: `${name}.duizenden`, mimeType: '', buffer: readFileSync(new URL(`${name}.duizenden`, GAMES)) });
const made = (bytes, name = 'made.duizenden') => ({ name, mimeType: '', buffer: Buffer.from(bytes) });

let browser;
before(async () => {
  if (skip) return;
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  browser = await chromium.launch({ executablePath: BROWSER, args });
});
after(() => browser?.close());

/** Do something with the page in a browser of this language, without any network; what it asked for or complained of fails. */
async function onPage(locale, use, { prepare = () => {}, ...options } = {}) {
  const context = await browser.newContext({ locale, offline: true, viewport: { width: 390, height: 844 }, ...options });
  const asked = [];
  const complaints = [];
  context.on('request', (request) => asked.push(request.url()));
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  await page.addInitScript(() => {
    window.progressSeen = [];
    new MutationObserver(() => {
      const bar = document.querySelector('progress');
      if (bar) window.progressSeen.push(bar.value / bar.max);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.addInitScript(prepare);
  await page.goto(PAGE);
  try {
    await use(page);
    assert.deepEqual(asked.filter((url) => url !== PAGE && !/^(blob|data):/.test(url)), []);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Give the page a file; heading, text, layer and code of its verdict. */
async function verdictOf(page, file) {
  await page.setInputFiles('input[type=file]', file);
  const verdict = page.locator('.verdict');
  await verdict.waitFor({ timeout: 120_000 });
  const [heading, text] = [await verdict.locator('h2').innerText(), await verdict.innerText()];
  return { heading: heading.replace(/^. /, ''), text, layer: await verdict.getAttribute('data-layer'), code: await verdict.getAttribute('data-code') };
}

const browserTest = (name, body) => test(name, { skip }, body);

browserTest('an honest game: checked beside the page, with progress, and said to be right in both languages', () =>
  onPage('nl-NL', async (page) => {
    const workers = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    const { heading, text, layer, code } = await verdictOf(page, vector('ok-two-rounds'));
    assert.deepEqual([heading, layer, code], ['Alles klopt', null, null]);
    assert.match(text, /nagerekend: 2 rondes, en het spel is uit/);
    assert.equal(workers.length, 1);
    const seen = await page.evaluate(() => window.progressSeen);
    assert.ok(seen.some((part) => part > 0 && part < 1), String(seen));
    assert.equal(await page.locator('[role=status]').innerText(), 'Alles klopt');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H2');
    assert.deepEqual(await page.locator('.steps summary').allInnerTexts(), ['Aan tafel', 'Ronde 1', 'Ronde 2']);
    const { checks } = VERDICTS['ok-two-rounds'];
    const counted = await page.locator('section:has(> h2:text("Wat is er nagerekend")) td:first-child').allInnerTexts();
    assert.deepEqual(counted.map(Number), Object.values(checks));
    await page.getByRole('button', { name: 'English' }).click();
    assert.equal(await page.locator('.verdict h2').innerText(), '✓ All is well');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'English');
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'wider than a phone');
  }));

browserTest('where the others played on, the page says without whom, and the replay shows who played', () =>
  onPage('en-GB', async (page) => {
    const { heading, text } = await verdictOf(page, vector('ok-play-on-leave'));
    assert.equal(heading, 'All is well');
    assert.match(text, /1 round, and the game is over/);
    assert.match(text, /The others played on without Joep/);
    assert.equal(await page.locator('.seat').count(), 3);
    await page.getByRole('combobox').selectOption('Round 2');
    assert.equal(await page.locator('.seat').count(), 2);
    assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Round 2', 'Total', 'Final score']);
  }));

browserTest('the replay goes forward and back, by move and by turn, and stays in place when the language changes', () =>
  onPage('en-GB', async (page) => {
    await verdictOf(page, vector('ok-two-rounds'));
    const [where, caption] = [page.locator('.where'), page.locator('.caption')];
    const press = (name) => page.getByRole('button', { name }).click();
    const at = async () => Number((await where.innerText()).split(' ')[1]);
    assert.match(await caption.innerText(), /The cards are dealt/);
    assert.equal(await page.locator('.seat').count(), 2);
    assert.equal(await page.locator('.seat .card').count(), 8);
    assert.equal(await page.locator('.seat .card.back').count(), 0);
    await press('Next move');
    assert.match(await caption.innerText(), /draws|takes/);
    await press('Previous move');
    assert.equal(await at(), 1);
    await press('Turn ahead');
    await press('Turn ahead');
    const second = await at();
    assert.ok(second > 2);
    await press('Turn back');
    assert.equal(await at(), 2);
    await page.getByRole('slider').press('ArrowRight');
    assert.equal(await at(), 3);
    await page.getByRole('combobox').selectOption('Round 2');
    await page.getByRole('slider').press('End');
    const last = await where.innerText();
    await press('Nederlands');
    assert.equal(await where.innerText(), last.replace('Move', 'Zet').replace('of', 'van'));
    assert.match(await caption.innerText(), /De handen gaan open/);
  }));

const FALSE = [
  ['rules-no-meld', /(mag niet volgens de spelregelkaart|rule card does not allow)/],
  ['proof-open-nonce', /(bewijs .* klopt niet|proof .* does not hold)/],
  ['wire-commit-short', /(niet de vorm|not have the form)/],
  ['signature-changed', /(bewijst niets over een speler|proves nothing about a player)/],
];
const SMALL = { cardText: cardText('klassiek'), n: 3, act: () => 'draw' };

for (const locale of LOCALES) {
  browserTest(`what is false, what is no game, and evidence (${locale})`, (t) =>
    onPage(locale, async (page) => {
      const nl = locale === 'nl-NL';
      await t.test('a false game: who, in which step, which layer and code', async () => {
        for (const [name, sentence] of FALSE) {
          const { layer, fault } = VERDICTS[name];
          const verdict = await verdictOf(page, vector(name));
          assert.deepEqual([verdict.heading, verdict.layer, verdict.code], [nl ? 'Er klopt iets niet' : 'Something is wrong', layer, fault.code]);
          assert.match(verdict.text, sentence);
          assert.match(verdict.text, new RegExp(`\\b(stap|step) ${fault.step}\\b`));
        }
      });

      await t.test('garbage, a file cut short, and a game that is not over', async () => {
        const files = [[made([1, 2, 3]), 'file/magic'], [made([]), 'file/magic'], [vector('wire-cut'), 'file/cut'], [vector('wire-genesis-one-key'), 'genesis/keys']];
        for (const [file, expected] of files) {
          const { heading, code } = await verdictOf(page, file);
          assert.deepEqual([heading, code], [nl ? 'Dit is geen spelbestand van Duizenden' : 'This is not a game file of Duizenden', expected]);
        }
        assert.equal((await verdictOf(page, vector('ok-prefix'))).heading, nl ? 'Alles klopt tot zover' : 'All is well so far');
      });

      await t.test('evidence: what it proves, or that it proves nothing', async () => {
        const body = (_, seat, kind, said) => (kind === KIND.commit && seat === 1 ? [said[0].subarray(1)] : undefined);
        const maker = new Maker({ ...SMALL, body }).run();
        const log = maker.frames.slice(0, 6);
        const second = maker.sign(1, KIND.leave, [], { step: 1 });
        const judge = (findings, frames) => verdictOf(page, made(maker.evidence(findings, frames), 'a.evidence'));
        const [proven, nothing] = nl ? ['Het bewijs klopt', 'Dit bewijst niets'] : ['The evidence holds', 'This proves nothing'];
        const accusation = page.locator('.panel li').first();
        assert.equal((await judge([['body/length', 1, 1]], log)).heading, proven);
        assert.match(await accusation.innerText(), nl ? /Seat 1 heeft in stap 1 iets gedaan/ : /Seat 1 did something in step 1/);
        assert.equal(await page.locator('.steps li').count(), 2);
        assert.equal((await judge([['log/equivocation', 1, 1]], [log[4], second])).heading, proven);
        assert.match(await accusation.innerText(), nl ? /Seat 1 .* twee verschillende berichten/ : /Seat 1 .* two different messages/);
        const other = await judge([['body/length', 0, 1]], log);
        assert.deepEqual([other.heading, other.code], [nothing, 'evidence/other']);
      });
    }));
}

browserTest('names are shown as they are written, and nothing in them becomes markup', () =>
  onPage('en-GB', async (page) => {
    const names = ['<img src=x onerror=alert(1)>', '</script><b>&amp;', '{0} {1}'];
    const maker = new Maker({ ...SMALL, names }).run(6);
    await verdictOf(page, made(maker.evidence([['log/left', 0, 1], ['log/left', 1, 1], ['log/left', 2, 1]], maker.frames), '<i>.evidence'));
    assert.deepEqual(await page.locator('.panel li').filter({ hasText: 'left' }).allInnerTexts(), names.map((name) => `${name} left in step 1, with a goodbye. That is not cheating. code log/left`));
    assert.equal(await page.locator('img, b:text("&"), i').count(), 0);
  }));

browserTest('a dropped file is checked too, and without workers in slices on the page', () =>
  onPage('en-GB', async (page) => {
    const base64 = vector('rules-no-meld').buffer.toString('base64');
    const transfer = await page.evaluateHandle((text) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], 'game'));
      return dropped;
    }, base64);
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await page.locator('.verdict[data-code="rules/not_a_meld"]').waitFor({ timeout: 120_000 });
    assert.ok(await page.evaluate(() => window.progressSeen.some((part) => part > 0 && part < 1)));
  }, { prepare: () => { delete window.Worker; } }));
