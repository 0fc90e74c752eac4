/** Build the page: one file with everything in it. `--check` says whether the committed page is that of the sources. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const here = (path) => new URL(path, import.meta.url);
const target = here('../duizenden-verify.html');

const { outputFiles } = await build({
  entryPoints: [here('main.mjs').pathname],
  bundle: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'inline',
});
// Nothing in the program may end the script element early.
const program = outputFiles[0].text.replaceAll('</script', '<\\/script');
const frame = readFileSync(here('page.html'), 'utf8');
const [style] = frame.match(/(?<=<style>)[^]*(?=<\/style>)/);

/** What the content policy allows: this text and no other. */
const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const page = frame
  .replace('/*hash of program*/', hash(program))
  .replace('/*hash of style*/', hash(style))
  .replace('/*program*/', () => program);

if (!process.argv.includes('--check')) writeFileSync(target, page);
else if (readFileSync(target, 'utf8') !== page) {
  console.error('duizenden-verify.html is out of date: npm run page');
  process.exitCode = 1;
}
