import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { CREDENTIAL_SCHEMES, EXTRA_POSITIONS } from '@svc/contract/credentials/credentials.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { CHANNEL_KINDS } from '@svc/contract/events/notification-channels.ts';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { type CheckResult, runProgram } from './programs.ts';
import { checkAreasAgree } from './rules/areas.ts';
import { getArrows } from './rules/arrows.ts';
import { getConsoleLayers } from './rules/console-layers.ts';
import { checkExpressions } from './rules/expressions.ts';
import { checkFolders } from './rules/folders.ts';
import { checkForm } from './rules/form.ts';
import { getKindsStandAlone, type KindWords } from './rules/kinds.ts';
import { getLinks } from './rules/links.ts';
import { checkManifests } from './rules/manifests.ts';
import { describeEnglish, getPlainEnglish } from './rules/plain-english.ts';
import { checkPureRooms } from './rules/pure-rooms.ts';
import { checkRowsAreDistinct, checkRowsHaveHandlers, getOperationsStandAlone } from './rules/rows.ts';
import { describeSizes, shape } from './rules/shape.ts';
import { checkTexts, type MachineNames } from './rules/texts.ts';
import { checkTokensInTheirRooms } from './rules/tokens.ts';
import { checkTypeNames } from './rules/type-names.ts';
import { type ProjectRule, type RuleFinding, readTree, type Tree } from './tree.ts';

const root = resolve(import.meta.dirname, '..');

/** Returns the folder of this checkout and of its owner, unless they are so short that any machine or image has them. */
const thisMachine = (): MachineNames => {
  const registry = process.env.npm_config_registry;
  const host = registry === undefined ? '' : new URL(registry).host;
  return {
    folders: [root, homedir()].filter((folder) => folder.split('/').length > 2),
    hosts: host === '' ? [] : [host],
  };
};

const KINDS: KindWords = {
  'packages/domain/src/credentials/schemes': CREDENTIAL_SCHEMES,
  'packages/domain/src/credentials/slots': EXTRA_POSITIONS,
  'packages/domain/src/events/notification-channels/kinds': CHANNEL_KINDS,
};

const rules: Readonly<Record<string, { readonly rule: ProjectRule; readonly describe?: (tree: Tree) => string }>> = {
  arrows: { rule: getArrows },
  folders: { rule: checkFolders },
  'console layers': { rule: getConsoleLayers },
  areas: { rule: checkAreasAgree(ENDPOINTS, AREAS) },
  'pure rooms': { rule: checkPureRooms },
  tokens: { rule: checkTokensInTheirRooms },
  'type names': { rule: checkTypeNames },
  form: { rule: checkForm },
  expressions: { rule: checkExpressions },
  shape: { rule: shape, describe: describeSizes },
  rows: { rule: (tree) => [checkRowsAreDistinct, checkRowsHaveHandlers, getOperationsStandAlone].flatMap((rule) => rule(ENDPOINTS)(tree)) },
  'plain English': { rule: getPlainEnglish, describe: describeEnglish },
  links: { rule: getLinks },
  kinds: { rule: getKindsStandAlone(KINDS) },
  manifests: { rule: checkManifests },
  texts: { rule: checkTexts(thisMachine()) },
};

const place = ({ path, line }: RuleFinding): string => (line === undefined ? path : `${path}:${line}`);

const runRule = (tree: Tree, name: string): CheckResult => {
  const startedAt = performance.now();
  const chosen = rules[name];
  const findings = chosen?.rule(tree) ?? [];
  return {
    name,
    ok: findings.length === 0,
    note: chosen?.describe?.(tree) ?? '',
    complaint: findings.map((finding) => `${place(finding)}  ${finding.says}`).join('\n'),
    tookMs: performance.now() - startedAt,
  };
};

const print = ({ name, ok, note, complaint, tookMs }: CheckResult): void => {
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)}  ${(tookMs / 1000).toFixed(1).padStart(4)} s  ${note}`.trimEnd());
  if (!ok) console.log(complaint.replace(/^/gm, '      '));
};

const HELP = `Checks what a change has to hold before it goes in, and says what does not:

    npm run check

Types, lint and dead code by programs; layers, folders, console layers, areas, pure rooms, tokens, type names, forms, expressions, sizes, rows, plain English, kinds, links, texts and manifests by tools/rules.
npm run format mends what can be mended by machine.`;

const [word, ...others] = process.argv.slice(2);
if (word !== undefined) {
  const isHelp = word === '--help' || word === '-h';
  if (isHelp) console.log(HELP);
  else console.error(`${[word, ...others].join(' ')} is not recognized.\n\n${HELP}`);
  process.exit(isHelp ? 0 : 2);
}

/** Checks types again only if something changed since the last run. With one checker, since several would each compute most types. */
const checkTypes = (name: string, project: string): Promise<CheckResult> => {
  const known = `.cache/types/${name.replace(' ', '-')}.tsbuildinfo`;
  const kept = ['--incremental', '--tsBuildInfoFile', known, '--checkers', '1'];
  return runProgram(root, name, 'tsc', ['--noEmit', '--pretty', 'false', '--project', project, ...kept]);
};

const programs = [
  checkTypes('types', '.'),
  checkTypes('page types', 'apps/console'),
  runProgram(root, 'lint', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=50', '.']),
  runProgram(root, 'dead code', 'knip', ['--no-progress', '--no-config-hints', '--cache', '--cache-location', '.cache/knip']),
];
const tree = readTree(root);
const outcomes = Object.keys(rules).map((name) => runRule(tree, name));
outcomes.forEach(print);
for (const program of programs) {
  const outcome = await program;
  print(outcome);
  outcomes.push(outcome);
}
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
