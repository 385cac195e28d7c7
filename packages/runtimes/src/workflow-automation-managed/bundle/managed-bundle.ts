import type { RuntimeSettings } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { digestText } from '../../digest/digest.ts';
import { allowedNodes } from './allowed-nodes.ts';
import { composeFile } from './compose-file.ts';
import { hookFile } from './hook-file.ts';
import { kubernetesFiles } from './kubernetes-files.ts';
import { nodePackageArchive } from './node-package.ts';

/** Version of the files. It changes with each change of them. */
const VERSION = '3';
const PRODUCT_VERSION = '2.41.1';

export type BundleTerms = {
  readonly gatewayUrl: string;
  /** Address of the control plane, which the instance has no reason to reach: its network is tried with it. */
  readonly controlUrl: string;
  readonly runtimeId: string;
  readonly agentId: string | null;
  readonly settings: RuntimeSettings;
};

/** Secrets that the operator fills in. No file contains them. */
const SECRET_SLOTS = {
  encryption: 'N8N_ENCRYPTION_KEY',
  owner: 'N8N_INSTANCE_OWNER_PASSWORD_HASH',
  agent: 'SVC_AGENT_KEY',
} as const;

type BundleFile = { readonly path: string; readonly content: string; readonly secret_slots?: readonly string[] };

const getPort = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** The address that the hook file tries to reach, which the network must refuse; empty if the gateway has the same one. */
const probeTarget = ({ gatewayUrl, controlUrl }: BundleTerms): string => {
  const [gateway, control] = [new URL(gatewayUrl), new URL(controlUrl)];
  return gateway.host === control.host ? '' : `${control.hostname}:${getPort(control)}`;
};

const hostName = (host: string): string => new URL(`https://${host}`).hostname;

/** Settings that heartbeats are compared with, by name. */
export const leverValues = (terms: BundleTerms): Readonly<Record<string, string | null>> => {
  const { gatewayUrl, runtimeId, agentId, settings } = terms;
  const hosts = [new URL(gatewayUrl).hostname, ...(settings.allowed_hosts ?? []).map(hostName)];
  return {
    N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
    N8N_COMMUNITY_PACKAGES_ENABLED: 'false',
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
    N8N_PYTHON_ENABLED: 'false',
    N8N_RESTRICT_FILE_ACCESS_TO: '/tmp/none',
    N8N_SSRF_PROTECTION_ENABLED: 'true',
    N8N_SSRF_BLOCKED_IP_RANGES: 'default,0.0.0.0/0,::/0',
    N8N_SSRF_ALLOWED_HOSTNAMES: [...new Set(hosts)].join(','),
    N8N_MCP_MANAGED_BY_ENV: 'true',
    N8N_MCP_ACCESS_ENABLED: 'false',
    NODES_INCLUDE: JSON.stringify(allowedNodes(settings)),
    NODES_EXCLUDE: JSON.stringify(['n8n-nodes-base.executeCommand', 'n8n-nodes-base.localFileTrigger']),
    SVC_GATEWAY_URL: new URL(gatewayUrl).origin,
    SVC_RUNTIME_ID: runtimeId,
    SVC_AGENT_ID: agentId,
  };
};

/** All settings of the instance: the levers, the owner, and no calls home. */
const environment = (terms: BundleTerms): readonly (readonly [string, string])[] => [
  ...Object.entries(leverValues(terms)).map(([name, value]): [string, string] => [name, value ?? '']),
  // The presence of the file proves nothing: its reports show that it runs.
  ['EXTERNAL_HOOK_FILES', '/svc/hook.cjs'],
  ['SVC_AGENT_KEY_FILE', '/svc/secrets/agent-key'],
  ['SVC_KEY_GENERATION', '1'],
  ['SVC_EGRESS_PROBE', probeTarget(terms)],
  ['N8N_INSTANCE_OWNER_MANAGED_BY_ENV', 'true'],
  ['N8N_DIAGNOSTICS_ENABLED', 'false'],
  ['N8N_VERSION_NOTIFICATIONS_ENABLED', 'false'],
  ['N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED', 'false'],
  ['N8N_TEMPLATES_ENABLED', 'false'],
  ['N8N_PERSONALIZATION_ENABLED', 'false'],
  ['N8N_HIRING_BANNER_ENABLED', 'false'],
  ['N8N_INSTANCE_AI_ENABLED', 'false'],
];

const environmentFile = (values: readonly (readonly [string, string])[]): string =>
  values
    .map(([name, value]) => `${name}=${value}`)
    .concat('')
    .join('\n');

const readme = ({ gatewayUrl, runtimeId }: BundleTerms): string => `# Governed n8n

Files for the runtime ${runtimeId}, which asks the gateway at ${gatewayUrl}. \`manifest.json\` of the answer lists their hashes and is signed.

1. Put the private key of the agent (PKCS8, base64) into the secret SVC_AGENT_KEY, 32 random bytes into N8N_ENCRYPTION_KEY, and the bcrypt hash of
   the owner's password into N8N_INSTANCE_OWNER_PASSWORD_HASH. No file contains them.
2. Decode the archive of the governed node from base64, compare its SHA-256 with the manifest, and unpack it: \`tar -xf
   ${nodePackageArchive().path} -C nodes\`. Other files in its folder make it another package.
3. Start \`compose.yaml\`, or apply the files of \`kubernetes/\`. Replace the tag of the image by its digest.
4. Create an API key with read scopes, and the scopes workflow:create, workflow:delete, workflow:activate, workflow:deactivate and execution:stop.
5. Store it with PUT /v1/runtimes/${runtimeId}/api-key, set admin_access to OPERATE, and verify the runtime.

The hook file asks before a workflow or credential is stored and before a workflow starts, and refuses when the gateway does not answer within two
seconds. It reports once a minute which hook file, governed node and settings run, and answers a nonce of the last response each time.
`;

const networkWords = (terms: BundleTerms): string => `# Network of the deployment

The instance may open connections to the gateway (${new URL(terms.gatewayUrl).host}) and to name servers, and to nothing else. Raw TCP, such as
databases and mail, is stopped by the network alone.

To test it, run in the container: \`node -e "require('net').connect(443, '192.0.2.1').on('connect', () => console.log('open'))"\`. Nothing must be
printed. The hook file tries SVC_EGRESS_PROBE once an hour and reports the result, which is the evidence NETWORK.
`;

/** Returns the files that deploy a managed instance, with their hashes. The same terms give the same files. */
export const managedBundle = (terms: BundleTerms) => {
  const values = environment(terms);
  const all = Object.values(SECRET_SLOTS);
  const files: readonly BundleFile[] = [
    { path: 'README.md', content: readme(terms) },
    { path: 'n8n.env', content: environmentFile(values) },
    { path: 'hook.cjs', content: hookFile() },
    { path: 'nodes-include.json', content: `${JSON.stringify(allowedNodes(terms.settings), null, 2)}\n` },
    { path: 'compose.yaml', content: composeFile(PRODUCT_VERSION), secret_slots: all },
    ...kubernetesFiles({ version: PRODUCT_VERSION, values, hook: hookFile() }).map((file) => ({ ...file, secret_slots: all })),
    { path: 'network-policy.md', content: networkWords(terms) },
  ];
  const texts = files.map(({ path, content, secret_slots = [] }) => ({
    ...{ path, sha256: digestText(content), mode: '0644', encoding: 'utf-8' as const, content, secret_slots: [...secret_slots] },
  }));
  const archive = { ...nodePackageArchive(), mode: '0644', encoding: 'base64' as const, secret_slots: [] };
  const hashed = [...texts, archive];
  return {
    version: VERSION,
    hash: digestText(hashed.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')),
    product_version: PRODUCT_VERSION,
    files: hashed,
    verify: [
      { what: 'The node types that the instance loads', evidence: 'SETTINGS, CANARY_NODE' },
      { what: 'The addresses that HTTP nodes reach', evidence: 'CANARY_EGRESS' },
      { what: 'The hook file, the governed node and the settings that run', evidence: 'BUNDLE, HOOK_ALIVE' },
      { what: 'The connections that the network lets through', evidence: 'NETWORK' },
    ],
    notes: [
      'Raw TCP, such as databases and mail, is stopped by the network policy and not by settings of n8n.',
      'The hash of an image is not in the files: replace the tag by a digest.',
    ],
  };
};

/** The content of the signed manifest of a bundle. */
export const bundleManifest = (terms: BundleTerms, { version, hash, product_version, files }: ReturnType<typeof managedBundle>) => ({
  runtime_id: terms.runtimeId,
  ...{ version, product_version, hash },
  files: files.map(({ path, sha256, mode }) => ({ path, sha256, mode })),
});
