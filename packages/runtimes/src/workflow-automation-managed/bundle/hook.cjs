'use strict';
// Hook file of a governed n8n. It asks the gateway before a workflow or credential is stored and before a workflow starts, and throws unless the
// gateway permits it within two seconds. It needs Node 20 or later, the environment variables SVC_GATEWAY_URL, SVC_RUNTIME_ID, SVC_AGENT_ID and
// SVC_AGENT_KEY_FILE (private key of the agent, PKCS8 as base64), and no package.
const { createHash, createPrivateKey, randomBytes, randomUUID, sign } = require('node:crypto');
const { lookup } = require('node:dns/promises');
const { readdirSync, readFileSync, realpathSync } = require('node:fs');
const { connect } = require('node:net');
const { homedir } = require('node:os');
const path = require('node:path');

const ASK_MS = 2_000;
const HEARTBEAT_MS = 60_000;
const PROBE_MS = 3_600_000;
const PROBE_TIMEOUT_MS = 5_000;
const CACHED_MAX = 1_000;
const TOKEN_SPARE_MS = 60_000;
const VALUES_MAX = 100_000;
const DEPTH_MAX = 32;
const TYPES_MAX = 500;
const ANSWER_CHARS_MAX = 65_536;
const PACKAGE = 'n8n-nodes-svc-governance';
const PACKAGE_FILES_MAX = 100;
/** Settings whose values are compared with the bundle. */
const LEVERS = [
  ...['N8N_BLOCK_ENV_ACCESS_IN_NODE', 'N8N_COMMUNITY_PACKAGES_ENABLED', 'N8N_UNVERIFIED_PACKAGES_ENABLED', 'N8N_PYTHON_ENABLED'],
  ...['N8N_RESTRICT_FILE_ACCESS_TO', 'N8N_SSRF_PROTECTION_ENABLED', 'N8N_SSRF_BLOCKED_IP_RANGES', 'N8N_SSRF_ALLOWED_HOSTNAMES'],
  ...['N8N_MCP_MANAGED_BY_ENV', 'N8N_MCP_ACCESS_ENABLED', 'NODES_INCLUDE', 'NODES_EXCLUDE'],
  ...['SVC_GATEWAY_URL', 'SVC_RUNTIME_ID', 'SVC_AGENT_ID'],
];

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const ownHash = sha256(readFileSync(__filename));
const processId = randomUUID();
const base64Url = (value) => Buffer.from(value).toString('base64url');

const setting = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`The governance hook needs ${name}.`);
  return value;
};

/** Returns JSON with sorted members. Throws for a value that is too large or contains itself. */
const canonical = (value, depth = 0, budget = { left: VALUES_MAX }) => {
  budget.left -= 1;
  if (depth > DEPTH_MAX || budget.left < 0) throw new Error('The workflow is too large to be examined.');
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, depth + 1, budget)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name], depth + 1, budget)}`).join(',')}}`;
};

const call = async (path, { token, body, signal }) => {
  const answer = await fetch(new URL(path, setting('SVC_GATEWAY_URL')), {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'error',
    signal,
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The gateway answered ${answer.status}.`);
  if (text.length > ANSWER_CHARS_MAX) throw new Error('The answer of the gateway is too long.');
  return JSON.parse(text);
};

const signAssertion = (agentId, audience) => {
  const key = createPrivateKey({
    key: Buffer.from(readFileSync(setting('SVC_AGENT_KEY_FILE'), 'utf8').trim(), 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  const now = Date.now();
  const header = base64Url(
    JSON.stringify({ alg: 'EdDSA', typ: 'svc-assertion+jws', kid: `${agentId}#${process.env.SVC_KEY_GENERATION || 1}` }),
  );
  const claims = { sub: agentId, aud: audience, iat: new Date(now).toISOString(), exp: new Date(now + 60_000).toISOString() };
  const payload = base64Url(JSON.stringify({ ...claims, nonce: base64Url(randomBytes(24)) }));
  return `${header}.${payload}.${base64Url(sign(null, Buffer.from(`${header}.${payload}`), key))}`;
};

let token;
const readToken = async (signal) => {
  if (token !== undefined && Date.now() < token.untilMs) return token.text;
  const agentId = setting('SVC_AGENT_ID');
  const { audience } = await call('/.well-known/svc-platform-key', { signal });
  const sdk = { name: 'svc-n8n-hook', version: '1', runtime: `node ${process.version}` };
  const { data } = await call('/gateway/v1/token', {
    signal,
    body: { agent_id: agentId, assertion: signAssertion(agentId, audience), sdk },
  });
  token = { text: data.token, untilMs: Date.now() + 1_000 * data.expires_in - TOKEN_SPARE_MS };
  return token.text;
};

const send = async (word, body) => {
  const signal = AbortSignal.timeout(ASK_MS);
  const path = `/gateway/v1/runtimes/${encodeURIComponent(setting('SVC_RUNTIME_ID'))}/${word}`;
  try {
    return await call(path, { token: await readToken(signal), body, signal });
  } catch (error) {
    // The next request signs in again: the session may have ended.
    token = undefined;
    throw error;
  }
};

const permits = new Map();

/** Asks the gateway. A permit for the same workflow is kept for as long as the gateway says, at most a minute. */
const ask = async (body) => {
  const key = canonical(body);
  const untilMs = permits.get(key);
  if (untilMs !== undefined && Date.now() < untilMs) return;
  permits.delete(key);
  const answer = await send('ask', body);
  if (answer?.permitted !== true) throw new Error('The gateway does not permit it.');
  if (permits.size >= CACHED_MAX) permits.delete(permits.keys().next().value);
  permits.set(key, Date.now() + 1_000 * Math.min(Number(answer.cache_seconds) || 0, 60));
};

const askForWorkflow = (event) => async (workflow) => {
  const nodes = Object.values(workflow?.nodes ?? {});
  const types = [...new Set(nodes.map(({ type }) => String(type)))];
  if (types.length > TYPES_MAX) throw new Error('The workflow has too many node types.');
  const facts = nodes.map(({ name, type, typeVersion, parameters, disabled }) => ({ name, type, typeVersion, parameters, disabled }));
  const connections = workflow?.connections ?? workflow?.connectionsBySourceNode ?? {};
  const id = workflow?.id;
  await ask({
    event,
    workflow_id: id === undefined || id === null || id === '' ? null : String(id),
    workflow_hash: sha256(canonical({ nodes: facts, connections })),
    node_types: types.toSorted(),
  });
};

const askForCredential = (event) => async (credential) => {
  await ask({ event, credential_type: String(credential?.type ?? 'unknown') });
};

const addressesOf = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

const opens = (host, port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PROBE_TIMEOUT_MS });
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });

/** Tries one connection that the network of the deployment must refuse. An address that is also the gateway's shows nothing. */
const tryEgress = async (target) => {
  const { hostname: host, port } = new URL(`tcp://${target}`);
  const gateway = new URL(setting('SVC_GATEWAY_URL'));
  const gatewayPort = Number(gateway.port) || (gateway.protocol === 'https:' ? 443 : 80);
  const bare = (name) => name.replace(/^\[|\]$/g, '');
  try {
    const [tried, allowed] = await Promise.all([addressesOf(bare(host)), addressesOf(bare(gateway.hostname))]);
    if (Number(port) === gatewayPort && tried.some((address) => allowed.includes(address))) return 'NOT_KNOWN';
  } catch {
    return 'NOT_KNOWN';
  }
  return (await opens(bare(host), Number(port))) ? 'REACHED' : 'BLOCKED';
};

let probe;
const readProbe = async () => {
  const target = process.env.SVC_EGRESS_PROBE;
  if (!target) return undefined;
  if (probe === undefined || Date.now() - probe.at > PROBE_MS) probe = { at: Date.now(), target, result: await tryEgress(target) };
  return { target: probe.target, result: probe.result, age_seconds: Math.floor((Date.now() - probe.at) / 1_000) };
};

const readVersion = () => {
  try {
    return require(require.resolve('n8n/package.json', { paths: [require.main?.filename ?? process.cwd()] })).version;
  } catch {
    return undefined;
  }
};

const listFiles = (folder, below = '') =>
  readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name);
    return entry.isDirectory() ? listFiles(folder, name) : [name];
  });

/** Returns the SHA-256 over the files of the governed node; null if it is not installed, or was loaded from elsewhere. */
const readNodePackage = () => {
  try {
    const folder = realpathSync(path.join(process.env.N8N_USER_FOLDER || homedir(), '.n8n', 'nodes', 'node_modules', PACKAGE));
    const isElsewhere = (file) => file.split(path.sep).includes(PACKAGE) && !file.startsWith(folder + path.sep);
    if (Object.keys(require.cache).some(isElsewhere)) return null;
    const files = listFiles(folder).toSorted();
    if (files.length > PACKAGE_FILES_MAX) return null;
    return sha256(files.map((name) => `${sha256(readFileSync(path.join(folder, name)))}  ${name}\n`).join(''));
  } catch {
    return null;
  }
};

const valueHash = (name) => (process.env[name] === undefined ? null : sha256(process.env[name]));

let nonce;

/** Proves that this process received the last response and holds the hook file. */
const proof = () => (nonce === undefined ? {} : { nonce, hook_proof: sha256(nonce + readFileSync(__filename, 'utf8')) });

const beat = async () => {
  try {
    const [tried, version] = [await readProbe(), readVersion()];
    const isFirst = nonce === undefined;
    const answer = await send('heartbeat', {
      process_id: processId,
      hook_sha256: ownHash,
      node_sha256: readNodePackage(),
      ...proof(),
      ...(version === undefined ? {} : { product_version: version }),
      levers: Object.fromEntries(LEVERS.map((name) => [name, valueHash(name)])),
      ...(tried === undefined ? {} : { probe: tried }),
    });
    nonce = typeof answer?.nonce === 'string' ? answer.nonce : undefined;
    if (isFirst && nonce !== undefined) await beat();
  } catch (error) {
    // A missing heartbeat lowers the status at the service.
    console.error(`The governance hook could not report: ${error.message}`);
  }
};
void beat();
setInterval(beat, HEARTBEAT_MS).unref();

module.exports = {
  workflow: {
    create: [askForWorkflow('workflow.create')],
    update: [askForWorkflow('workflow.update')],
    activate: [askForWorkflow('workflow.activate')],
    preExecute: [askForWorkflow('workflow.preExecute')],
  },
  credentials: { create: [askForCredential('credentials.create')], update: [askForCredential('credentials.update')] },
};
