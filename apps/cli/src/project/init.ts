import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sendWithConfirmation } from '../calls/guarded.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { getUsageError } from '../exit-codes.ts';
import { writePrivateFile } from '../files/json-file.ts';
import { PROJECT_FILE } from '../files/project-file.ts';
import { printResult } from '../output/print.ts';
import { writePolicyFile } from '../policies/read-folder.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions, RunCommand } from '../session/hand-command.ts';

const agentProgram = (
  gatewayUrl: string,
  agentId: string,
  keyFile: string,
  tool: string,
): string => `import { readFileSync } from 'node:fs';
import { Governance } from './governance.mjs';

const governance = new Governance({
  gatewayUrl: process.env.SVC_GATEWAY_URL ?? ${JSON.stringify(gatewayUrl)},
  agentId: ${JSON.stringify(agentId)},
  privateKey: readFileSync(process.env.SVC_AGENT_KEY_FILE ?? ${JSON.stringify(keyFile)}, 'utf8').trim(),
});

// Runs only if the service permits the call with these arguments.
const sayHello = governance.guard(${JSON.stringify(tool)}, ({ name }) => \`Hello, \${name}.\`);

try {
  console.log(await sayHello({ name: process.argv[2] ?? 'world' }));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
`;

/** The SDK in one file: next to the built program, or bundled on demand when run from the sources. */
const sdkText = async (): Promise<string> => {
  const built = fileURLToPath(new URL('./governance.mjs', import.meta.url));
  if (existsSync(built)) return readFileSync(built, 'utf8');
  const source = new URL('../../build/bundle-sdk.ts', import.meta.url).href;
  const { bundleSdk } = (await import(source)) as typeof import('../../build/bundle-sdk.ts');
  return bundleSdk();
};

type Place = { readonly environment_id: string; readonly workspace_id: string };

/** The environment that is named, or the only one. */
const findPlace = async (cli: Cli): Promise<Place> => {
  const { client } = await cli.connect();
  const environments = (await client.listEnvironments()).filter(({ archived_at }) => archived_at === null);
  const wanted = cli.environment === undefined ? undefined : await resolveId(cli, 'environmentId', cli.environment);
  const candidates = wanted === undefined ? environments : environments.filter(({ id }) => id === wanted);
  const [only] = candidates;
  if (only === undefined)
    throw getUsageError('There is no environment.', 'svc workspaces create --name …, then svc env create --name … --type DEVELOPMENT');
  if (candidates.length > 1)
    throw getUsageError(`Name one of the environments with --environment: ${candidates.map(({ name }) => name).join(', ')}.`);
  return { environment_id: only.id, workspace_id: only.workspace_id };
};

const word = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** Registers an agent whose key is made here, and a tool that it may use. */
const register = async (cli: Cli, options: HandOptions, place: Place, publicKey: string) => {
  const { client } = await cli.connect();
  const tool = word(options.tool, 'hello.say');
  const [found] = (await client.listTools({ query: { q: tool, limit: 100 } })).items.filter(
    ({ name, environment_id }) => name === tool && environment_id === place.environment_id,
  );
  const made =
    found ??
    (await client.createTool({
      body: {
        name: tool,
        environment_id: place.environment_id,
        kind: 'SDK',
        required_capability: tool.toLowerCase(),
        description: 'Made by svc init.',
        risk_rating: 'LOW',
      },
    }));
  const name = word(options.agent, 'my-agent');
  const { data } = await client.createAgent({ body: { name, ...place, capabilities: [made.required_capability], public_key: publicKey } });
  await sendWithConfirmation(cli, 'authorizeAgentForTool', (at) =>
    at.client.authorizeAgentForTool({ params: { toolId: made.id }, body: { agent_id: data.agent.id } }),
  );
  return { agent: data.agent, tool: made };
};

const findPolicy = (tool: string, place: Place) => ({
  id: undefined,
  name: `Allow ${tool}`,
  description: 'Made by svc init.',
  currency: undefined,
  binding: { scope: 'ENVIRONMENT' as const, id: place.environment_id },
  rules: [{ id: 'allow', effect: 'ALLOW', when: { field: 'tool.name', op: 'eq', value: tool }, reason: `${tool} is permitted here.` }],
  tests: [{ name: `${tool} is permitted`, given: { 'tool.name': tool }, then: { effect: 'ALLOW', rule: 'allow' } }],
});

/** Writes a project with a running agent: svc.json, the agent, its key outside the project, and a policy as a file. */
export const initProject: RunCommand = async (cli, [given = '.'], options) => {
  const folder = resolve(given);
  const projectFile = join(folder, PROJECT_FILE);
  if (existsSync(projectFile)) throw getUsageError(`${projectFile} exists already.`, 'Choose another folder.');
  const { client } = await cli.connect();
  const { gateway_url } = await client.getInfo();
  const place = await findPlace(cli);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { agent, tool } = await register(cli, options, place, publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const keyFile = join(cli.settings.configFolder, 'agents', `${agent.id}.key`);
  writePrivateFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  mkdirSync(folder, { recursive: true });
  const project = {
    url: cli.url(),
    workspace: place.workspace_id,
    environment: place.environment_id,
    policies: 'policies',
    agent: { id: agent.id, key_file: keyFile },
  };
  writeFileSync(projectFile, `${JSON.stringify(project, undefined, 2)}\n`);
  writeFileSync(join(folder, 'agent.mjs'), agentProgram(gateway_url, agent.id, keyFile, tool.name));
  writeFileSync(join(folder, 'governance.mjs'), await sdkText());
  const policy = writePolicyFile(join(folder, 'policies'), `${cli.url()}/v1/policies/schema`, findPolicy(tool.name, place));
  printResult(cli, { folder, agent_id: agent.id, tool: tool.name, key_file: keyFile, policy }, () => {
    cli.io.out(`Agent ${agent.id} and tool ${tool.name}; its key is in ${keyFile}.`);
    cli.io.note('Next: svc policies plan, then svc policies apply --reason "First policy."');
    cli.io.note('Then: node agent.mjs   and: svc why');
  });
};
