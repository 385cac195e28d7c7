import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { tryInParts } from './try-in-parts.ts';

/**
 * npm run e2e -- verifier
 *
 * Tries 8,000 mutations of logs of 10,000 events, and 1,000 unmodified logs of up to as many. Other numbers may be given.
 */
endOnOtherWords(
  `Changes logs in thousands of ways, and counts what the offline verifier does not find or finds in vain:

    npm run e2e -- verifier                8,000 mutations and 1,000 honest logs, of 10,000 events
    npm run e2e -- verifier 1000 800 100   events, mutations and honest logs`,
  /^\d+$/,
);
const [events = 10_000, mutations = 8_000, honest = 1_000] = process.argv.slice(2).map(Number);
const began = performance.now();
const all = mutations + honest;
const tell = (count: number): void => {
  if (count % Math.ceil(all / 20) === 0)
    console.error(`${count} of ${all} logs after ${((performance.now() - began) / 1_000).toFixed(0)} s`);
};
const wrong = await tryInParts({ events, mutations, honest, logs: 8 }, tell);
for (const sentence of wrong) console.log(sentence);
console.log(
  `${mutations} mutations and ${honest} honest logs of ${events} events in ${((performance.now() - began) / 1_000).toFixed(0)} s: ${wrong.length} wrong.`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
