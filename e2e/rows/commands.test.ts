import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { sample } from '@svc/testing/length/test-length.ts';
import { openSvc, type Svc, type SvcRun } from '@svc/testing/processes/open-svc.ts';
import { buildBody } from './bodies.ts';
import { newSetting, type RowTestSetting } from './setting.ts';

type Command = {
  readonly operation: string;
  readonly words: readonly string[];
  readonly method: string;
  readonly wire: string;
  readonly params: readonly { readonly name: string }[];
  readonly flags: readonly { readonly member: string; readonly kind: string }[];
  readonly example: readonly string[];
};

let setting: RowTestSetting;
let svc: Svc;
let commands: readonly Command[];
let organization: string;

/** Operations that a command written by hand replaces, which has a test of its own. */
const BY_HAND = ['dryCallTool', 'checkPolicy', 'getApproval', 'verifyAuditEvents'];
before(async () => {
  setting = await newSetting();
  svc = openSvc({ SVC_URL: setting.planes.controlUrl, SVC_TOKEN: setting.owner });
  const table: readonly Command[] = JSON.parse(readFileSync(join(dirname(svc.program), 'commands.json'), 'utf8'));
  commands = table.filter(({ operation }) => !BY_HAND.includes(operation));
});
after(async () => {
  svc?.remove();
  await setting?.planes.stop();
});

const EXAMPLE_TIME = '2030-01-31T00:00:00.000Z';
const SOON_MS = 90 * 86_400_000;

/** Fills the ids of zeros in an example, those of the path by its parameters and those of flags by their prefix, the time and the name. */
const fillIds = ({ params, example }: Command): readonly string[] => {
  const { resources, tenant } = setting;
  const ids = [...Object.values(resources), tenant.user.id, tenant.organization_id];
  const byPrefix = new Map(ids.map((id) => [id.split('_')[0], id]));
  return example.map((word, index) => {
    const parameter = params[index]?.name;
    if (parameter !== undefined) return resources[parameter as keyof typeof resources];
    if (word === EXAMPLE_TIME) return new Date(Date.now() + SOON_MS).toISOString();
    if (word === 'Acme') return organization;
    return word.replace(/\b([a-z]{2,5})_0{26}/g, (zeros, prefix: string) => byPrefix.get(prefix) ?? zeros);
  });
};

/** Writes the files of secrets and documents that an example names. */
const writeFiles = ({ operation, flags, example }: Command): void => {
  for (const { member } of flags.filter(({ kind }) => kind === 'secret')) {
    const file = `${member.replaceAll('_', '-')}.txt`;
    const text = member === 'new_password' ? 'another long password' : String(buildBody(operation, setting)[member] ?? '492039');
    if (example.includes(file)) writeFileSync(join(svc.folder, file), text);
  }
  if (example.includes('openapi.json'))
    writeFileSync(join(svc.folder, 'openapi.json'), '{"openapi":"3.1.0","info":{"title":"Payments","version":"1"},"paths":{}}');
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const MALFORMED = ['USAGE', 'COMMAND_FAILED', 'VALIDATION_FAILED', 'INVALID_REQUEST', 'UNAUTHENTICATED'];

/** The fault of a run; undefined if it printed one JSON document on the right stream and its input was well-formed. */
const findFault = ({ wire }: Command, { code, stdout, stderr }: SvcRun): string | undefined => {
  if (code === 0) return wire === 'download' || wire === 'bytes' || isJson(stdout) ? undefined : `printed ${stdout.slice(0, 200)}`;
  const [line = ''] = stderr.trim().split('\n').slice(-1);
  if (stdout !== '' || !isJson(line)) return `exit ${code}, printed ${stdout.slice(0, 100)} and ${stderr.slice(0, 300)}`;
  return MALFORMED.includes(JSON.parse(line).error.code) ? `exit ${code}, ${line}` : undefined;
};

/** Ends sessions or the organization, and with it the tries of other commands. */
const ENDS = ['endOtherSessions', 'endSession', 'deleteOrganization', 'changePassword', 'revokeMemberSessions', 'transferOwnership'];
const ORDER = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const rank = ({ operation, method }: Command): number => (ENDS.includes(operation) ? 9 : ORDER.indexOf(method));

test('each command has an example in its help that the service accepts, and prints one JSON document with --json', async () => {
  const wrong: string[] = [];
  for (const command of sample(commands, 60, 'commands').toSorted((left, right) => rank(left) - rank(right))) {
    writeFiles(command);
    // Another command may have changed the name.
    if (command.example.includes('Acme')) organization = (await svc.run(['whoami', '--field', 'organization.name'])).stdout.trim();
    const run = await svc.run([...command.words, ...fillIds(command), '--json', '--yes']);
    const fault = findFault(command, run);
    if (fault !== undefined) wrong.push(`svc ${[...command.words, ...command.example].join(' ')}: ${fault}`);
  }
  assert.deepEqual(wrong, []);
});
