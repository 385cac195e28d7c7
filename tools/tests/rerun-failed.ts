import { getRerunRefusal } from './never-rerun.ts';

/** A failed file, and the names of its failures: tests, and their suites. */
export type FailedFile = { readonly file: string; readonly tests: readonly string[] };

/**
 * Maximum of failed files that measure nothing for any to be repeated. On two busy cores a few of a thousand files exceed a time bound; more of
 * them are a fault and no coincidence.
 */
export const STRAYS_MAX = 6;

type Rerun = { readonly failed: FailedFile; readonly measures: string | undefined; readonly passesAlone: boolean };

const describeMeasuring = ({ failed: { file }, measures, passesAlone }: Rerun): string =>
  `${file}: failed beside others, ${passesAlone ? 'passed alone' : 'failed alone'}; it measures ${measures}`;

const RULE = '!'.repeat(100);

/** Printed last and prominently, since a test that fails occasionally would otherwise be ignored. */
const describeStrays = (strays: readonly Rerun[]): string[] => {
  if (strays.length === 0) return [];
  const lines = strays.flatMap(({ failed: { file, tests }, passesAlone }) => [
    `!! ${file}: failed beside others, ${passesAlone ? 'passed alone' : 'failed alone'}`,
    ...tests.map((name) => `!!   ${name}`),
  ]);
  return [RULE, '!! These tests measure no time and failed beside others. Find out what they depend on, and mend it:', ...lines, RULE];
};

/**
 * True if a run with failed files passes after repetitions. Files that measure time or load are repeated alone, in sequence. So are others,
 * if few failed and nothing refuses it; if one is refused none is. Each must then pass.
 */
export const rerunFailed = async (
  failed: readonly FailedFile[],
  measuring: Readonly<Record<string, string>>,
  runAlone: (file: string) => Promise<boolean>,
): Promise<boolean> => {
  const strays = failed.filter(({ file }) => !Object.hasOwn(measuring, file));
  if (strays.length > STRAYS_MAX) return false;
  const refusals = strays.flatMap((stray) => getRerunRefusal(stray) ?? []);
  for (const refusal of refusals) console.log(`\n${refusal}`);
  if (refusals.length > 0) return false;
  const reruns: Rerun[] = [];
  for (const each of failed) {
    const measures = Object.hasOwn(measuring, each.file) ? measuring[each.file] : undefined;
    const why = measures === undefined ? 'failed beside others' : 'measures time or load and failed beside others';
    console.log(`\n${each.file} ${why}: it is run once more alone.`);
    reruns.push({ failed: each, measures, passesAlone: await runAlone(each.file) });
  }
  const lines = [
    ...reruns.filter(({ measures }) => measures !== undefined).map(describeMeasuring),
    ...describeStrays(reruns.filter(({ measures }) => measures === undefined)),
  ];
  if (lines.length > 0) console.log(lines.join('\n'));
  return reruns.every(({ passesAlone }) => passesAlone);
};
