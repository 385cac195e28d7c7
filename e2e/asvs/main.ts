import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { countText, getCount, getShare, SHARE_MIN } from './count.ts';
import { findFaults } from './find-faults.ts';
import { newProofCheck } from './proofs-there.ts';
import { CHAPTERS } from './requirements/chapters.ts';
import { formatTable } from './table-text.ts';

/**
 * npm run e2e -- asvs [--run]
 *
 * Prints how the service meets OWASP ASVS 5.0, levels 1 and 2, with the test that proves each requirement; `--run` runs these tests too.
 */
const root = path.resolve(import.meta.dirname, '../..');
const words = process.argv.slice(2);
endOnOtherWords(
  `Tells how the service stands to OWASP ASVS 5.0, levels 1 and 2, with the test that shows each:

    npm run e2e -- asvs         the table
    npm run e2e -- asvs --run   runs these tests too`,
  /^--run$/,
);

const count = getCount(CHAPTERS);
console.log(`OWASP ASVS 5.0, levels 1 and 2\n\n${formatTable(CHAPTERS)}\nIn all: ${countText(count)}`);

const faults = findFaults(CHAPTERS, newProofCheck(root));
if (getShare(count) < SHARE_MIN) faults.push(`less than ${SHARE_MIN * 100} % of what applies is met`);
for (const fault of faults) console.error(`The table is not right: ${fault}.`);
if (faults.length > 0) process.exitCode = 1;

const files = new Set(
  CHAPTERS.flatMap(({ requirements }) => Object.values(requirements))
    .flatMap((each) => ('met' in each ? each.met : []))
    .flatMap((proof) => ('test' in proof ? [proof.file] : [])),
);
console.log(`${files.size} test files show it${words.length > 0 ? '; they are run now.' : '; npm run e2e -- asvs --run runs them.'}`);
if (words.length > 0) {
  const { status } = spawnSync(process.execPath, [path.join(root, 'tools/run-tests.ts'), ...files], { stdio: 'inherit', cwd: root });
  if (status !== 0) process.exitCode = 1;
}
