import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { prepareVersion } from './prepare-version.ts';
import { runUpgrade } from './run-upgrade.ts';
import { hasCommit } from './versioned-program.ts';

/** The first commit whose programs compare the schema with their own and whose migration is a command of its own, without which there is no rolling upgrade. */
const OLD = '174c2157efe529959c7b8a299836bcb37da7db19';

endOnOtherWords(
  `Upgrades an installation of an older version under load, the schema first and then one program after another:

    npm run e2e -- upgrade                20,000 requests
    npm run e2e -- upgrade 2000           number of requests
    npm run e2e -- upgrade 2000 COMMIT    from another commit

It needs the history of the repository and a registry of npm.`,
  /^(?:[1-9]\d{0,6}|[0-9a-f]{40})$/,
);
const words = process.argv.slice(2);
const requests = Number(words.find((word) => word.length < 10) ?? 20_000);
const commit = words.find((word) => word.length === 40) ?? OLD;
if (!hasCommit(commit)) {
  console.error(`The commit ${commit} is not in this repository. Fetch its history, or name another commit.`);
  process.exit(1);
}
const result = await runUpgrade(prepareVersion(commit), requests, console.log);
const failed = Map.groupBy(
  result.failures,
  ({ phase, request, status }) => `${phase}: ${request.split(' ')[0]} answered ${status ?? 'nothing'}`,
);
for (const [what, of] of failed) console.log(`FAILED  ${what}, ${of.length} times, such as ${JSON.stringify(of[0])}`);
console.log(`${result.migrations} migrations applied in ${Math.round(result.migrationMs)} ms under load, start of the command included`);
for (const finding of result.findings.slice(0, 5)) console.log(`FINDING ${JSON.stringify(finding)}`);
console.log(
  `${result.findings.length} findings in the audit log and its records; actions without one event of their request: ${result.wrongActions}`,
);
console.log(`${result.requests} requests, ${result.failures.length} failures`);
const isWhole = result.findings.length === 0 && result.wrongActions === 0;
process.exitCode = result.failures.length === 0 && isWhole && result.migrations > 0 ? 0 : 1;
