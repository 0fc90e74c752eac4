/** Running the verifier beside the page: in a worker where the browser allows it, else in slices on the page itself. */
import { isEvidence, verifyEvidence } from '../src/evidence.mjs';
import { NotAGame } from '../src/fault.mjs';
import { verify } from '../src/file.mjs';
import { finalScores } from '../src/scores.mjs';

/** A report as plain data that can be sent from a worker. */
function plain(report) {
  const { genesis, ...rest } = report;
  return { ...rest, final: finalScores(genesis.card, report.scores, report.record.playing) };
}

/**
 * Check bytes for about `budget` milliseconds at a time. `tell` gets progress {taken, done, of}, and at last with `taken`
 * one of {report}, {ruling} (of evidence), {notAGame: code}, {failed: text}.
 */
async function inSlices(bytes, tell, budget, pause) {
  let taken = [];
  try {
    const evidence = isEvidence(bytes);
    const course = evidence ? verifyEvidence(bytes) : verify(bytes);
    let until = performance.now() + budget;
    for (;;) {
      const next = course.next();
      if (next.done) {
        tell({ taken, ...(evidence ? { ruling: next.value } : { report: plain(next.value) }) });
        return;
      }
      if (next.value.taken) taken.push(next.value.taken);
      if (next.value.of === undefined || performance.now() < until) continue;
      tell({ taken, done: next.value.done, of: next.value.of });
      taken = [];
      await pause();
      until = performance.now() + budget;
    }
  } catch (error) {
    if (error instanceof NotAGame) tell({ taken, notAGame: error.code });
    else tell({ taken, failed: String(error?.stack ?? error) });
  }
}

/** What the worker does. */
export function serve(scope) {
  scope.onmessage = ({ data }) => {
    inSlices(data, (message) => scope.postMessage(message), 80, () => Promise.resolve());
  };
}

function makeWorker() {
  const code = document.getElementById('program').textContent;
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  return new Worker(url);
}

/** Check a file; `tell` as above. Returns a function that stops. */
export function check(bytes, tell) {
  let stopped = false;
  const say = (message) => stopped || tell(message);
  const pause = () => new Promise((resolve) => setTimeout(() => stopped || resolve(), 0));
  const onPage = () => inSlices(bytes, say, 30, pause);
  let worker;
  try {
    worker = makeWorker();
  } catch {
    onPage();
    return () => (stopped = true);
  }
  worker.onmessage = ({ data }) => {
    say(data);
    if (data.done === undefined) worker.terminate();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    onPage();
  };
  worker.postMessage(bytes);
  return () => {
    stopped = true;
    worker.terminate();
  };
}
