import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCard, generateAgentCardSignature, Role, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server';

/** A key that an agent signs its card with. */
export type CardSigningKey = {
  readonly kid: string;
  readonly alg: 'EdDSA' | 'ES256';
  readonly privateKey: KeyObject;
  /** The public key in its registered form. */
  readonly jwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly y?: string; readonly kid: string };
};

export const newSigningKey = (kid: string, alg: CardSigningKey['alg'] = 'EdDSA'): CardSigningKey => {
  const { publicKey, privateKey } = alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty = '', crv = '', x = '', y } = publicKey.export({ format: 'jwk' });
  return { kid, alg, privateKey, jwk: { kty, crv, x, ...(y === undefined ? {} : { y }), kid } };
};

type Challenge = { readonly nonce: string; readonly audience: string };

/** Signs the response to a challenge as a compact JWS. */
export const signChallenge = ({ kid, alg, privateKey }: CardSigningKey, { nonce, audience }: Challenge): string => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg, kid, typ: 'JOSE' })}.${encode({ nonce, aud: audience })}`;
  const bytes = Buffer.from(signed);
  const signature = alg === 'EdDSA' ? sign(null, bytes, privateKey) : sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
};

/** A remote agent on the official SDK. Its card and behaviour can change while it runs. */
export type A2aAgent = {
  readonly url: string;
  readonly cardUrl: string;
  key: CardSigningKey;
  /** True to offer a challenge in the card. */
  offersChallenge: boolean;
  /** True to send push notifications, as the card then states. Set before the first request. */
  offersPushes: boolean;
  version: string;
  /** Changes the card before it is served. */
  forge: (signed: string) => string | Promise<string>;
  answerChallenge: (challenge: Challenge) => unknown;
  /** Called for each request before it is answered; true if the request was answered here. */
  before: (path: string, response: ServerResponse, body: string, headers: IncomingHttpHeaders) => boolean;
  /** Bodies and headers that arrived at the A2A endpoint. */
  readonly received: { readonly method: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  readonly cancelled: string[];
  /** Returns the card as currently signed. */
  readonly signedCard: () => Promise<string>;
  readonly close: () => Promise<void>;
};

const getText = (parts: readonly { readonly content?: { readonly $case: string; readonly value: unknown } | undefined }[]): string =>
  parts.map(({ content }) => (content?.$case === 'text' ? String(content.value) : '')).join('');

const TICK_MS = 20;

/**
 * Answers `hello` with a message, `task` with a completed task, `fail` with an error, and `slow` with a task that reports progress until it is
 * cancelled.
 */
const newExecutor = (cancelled: string[]): AgentExecutor => {
  const running = new Set<string>();
  const part = (text: string) => ({
    content: { $case: 'text' as const, value: text },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  });
  const message = (contextId: string, taskId: string, text: string) => ({
    ...{ messageId: `m-${Math.random()}`, contextId, taskId, role: Role.ROLE_AGENT, parts: [part(text)] },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  });
  const status = (state: TaskState) => ({ state, message: undefined, timestamp: new Date().toISOString() });
  return {
    execute: async ({ userMessage, taskId, contextId }, bus) => {
      const text = getText(userMessage.parts as never);
      if (text === 'fail') throw new Error('the agent fails');
      if (text === 'task' || text === 'slow') {
        const state = text === 'task' ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_WORKING;
        bus.publish(
          AgentEvent.task({ id: taskId, contextId, status: status(state), artifacts: [], history: [userMessage], metadata: undefined }),
        );
        if (text === 'slow') running.add(taskId);
        while (running.has(taskId)) {
          await sleep(TICK_MS);
          const update = { taskId, contextId, status: status(TaskState.TASK_STATE_WORKING), metadata: undefined };
          bus.publish(AgentEvent.statusUpdate(update));
        }
      } else bus.publish(AgentEvent.message(message(contextId, '', `echo: ${text}`)));
      bus.finished();
    },
    cancelTask: async (taskId, bus) => {
      cancelled.push(taskId);
      running.delete(taskId);
      const update = { taskId, contextId: '', status: status(TaskState.TASK_STATE_CANCELED), metadata: undefined };
      bus.publish(AgentEvent.statusUpdate(update));
    },
  };
};

export const startA2aAgent = async (key: CardSigningKey = newSigningKey('key-1')): Promise<A2aAgent> => {
  const card = () => {
    const extensions = agent.offersChallenge ? [{ uri: 'urn:svc:a2a:challenge', params: { url: `${agent.url}/challenge` } }] : [];
    return AgentCard.fromJSON({
      ...{ name: 'Remote agent', description: 'Answers messages.', version: agent.version },
      supportedInterfaces: [{ url: `${agent.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      provider: { organization: 'Partner', url: 'https://partner.example' },
      capabilities: { streaming: true, extensions, ...(agent.offersPushes ? { pushNotifications: true } : {}) },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      skills: [{ id: 'echo', name: 'Echo', description: 'Echoes.', tags: ['test'] }],
    });
  };
  const cancelled: string[] = [];
  const agent: A2aAgent = {
    url: '',
    cardUrl: '',
    key,
    offersChallenge: false,
    offersPushes: false,
    version: '1.0.0',
    forge: (signed) => signed,
    answerChallenge: (challenge) => ({ jws: signChallenge(agent.key, challenge) }),
    before: () => false,
    received: [],
    cancelled,
    signedCard: async () => {
      const { kid, alg, privateKey } = agent.key;
      return JSON.stringify(AgentCard.toJSON(await generateAgentCardSignature(privateKey, { alg, kid, typ: 'JOSE' })(card())));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const { pathname } = new URL(request.url ?? '/', agent.url);
    if (agent.before(pathname, response, body, request.headers)) return;
    const json = (value: string): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(value);
    if (pathname === '/.well-known/agent-card.json') return json(await agent.forge(await agent.signedCard()));
    if (pathname === '/challenge') return json(JSON.stringify(agent.answerChallenge(JSON.parse(body))));
    if (pathname !== '/a2a') return void response.writeHead(404).end();
    const parsed = JSON.parse(body);
    agent.received.push({ method: parsed.method, headers: request.headers, body });
    handler ??= new JsonRpcTransportHandler(new DefaultRequestHandler(card(), new InMemoryTaskStore(), newExecutor(cancelled)));
    const answer = await handler.handle(body, new ServerCallContext({ requestedVersion: String(request.headers['a2a-version'] ?? '') }));
    if (!(Symbol.asyncIterator in answer)) return json(JSON.stringify(answer));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const event of answer) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  let handler: JsonRpcTransportHandler | undefined;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(agent, { url, cardUrl: `${url}/.well-known/agent-card.json` });
};
