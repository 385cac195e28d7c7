import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { signCard } from '@svc/keyring/tokens/card-signature.ts';

/** Path at which the sandbox receiver is the remote agent of a partner, and that of its card. */
export const PARTNER_AGENT_PATH = '/a2a/partner';
export const PARTNER_CARD_PATH = `${PARTNER_AGENT_PATH}/agent-card.json`;

const KID = 'shipping-1';

/** Returns the file of a data folder with the key that the partner signs its card with. */
const getPartnerKeyFile = (dataDir: string): string => path.join(dataDir, 'sandbox.partner-key');

/** Reads the key of the partner, which is made at the first start. */
const readPartnerKey = (dataDir: string): KeyObject => {
  const file = getPartnerKeyFile(dataDir);
  if (!existsSync(file))
    writeFileSync(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return createPrivateKey(readFileSync(file, 'utf8'));
};

/** The public key that the card of the partner is verified with. */
export const readPartnerJwk = (
  dataDir: string,
): { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string; readonly kid: string } => {
  const { x = '' } = createPublicKey(readPartnerKey(dataDir)).export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x, kid: KID };
};

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sorts members, as canonical JSON has them. Its texts are plain ASCII. */
const sortMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sortMembers(each)]),
  );
};

const describePartner = (origin: string) => ({
  name: 'Shipping partner',
  description: 'Answers questions about shipments.',
  version: '1.0.0',
  provider: { organization: 'Shipping Partner', url: 'https://partner.example' },
  supportedInterfaces: [{ url: origin + PARTNER_AGENT_PATH, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'track', name: 'Track a shipment', description: 'States where a shipment is.', tags: ['shipping'] }],
});

/** Returns the signed card of the partner. */
export const buildPartnerCard = (origin: string, dataDir: string): object => {
  const card = describePartner(origin);
  const signature = signCard({ kid: KID, privateKey: readPartnerKey(dataDir) }, JSON.stringify(sortMembers(card)));
  return { ...card, signatures: [signature] };
};

/** Returns the response of the partner to a message: the shipment is on its way. */
export const answerPartnerAgent = (body: unknown): object => {
  const { id = null, method } = isMembers(body) ? body : {};
  if (method !== 'SendMessage') return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } };
  const parts = [{ text: 'The shipment is on its way and arrives tomorrow.' }];
  return { jsonrpc: '2.0', id, result: { message: { messageId: `answer-to-${String(id)}`, role: 'ROLE_AGENT', parts } } };
};
