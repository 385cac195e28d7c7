import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { ERROR_CODES } from '@svc/contract/tables/errors.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { ACTION_STATUSES, APPROVAL_STATUSES, EFFECTS, MODES } from '@svc/contract/tables/vocabulary.ts';
import { ASSERTION_TYPE, HEADERS, PLATFORM_KEY_PATH, WEBHOOK_HEADERS } from '@svc/contract/tables/wire-name.ts';
import { NEXT_STEPS } from '@svc/sdk/wire/next-step.ts';

const root = resolve(import.meta.dirname, '../..');

/** File of the published client with its copy of the contract, which it may not import. */
export const WORDS_FILE = 'packages/sdk/src/wire/wire-format.ts';

const literal = (value: object | string | number): string => JSON.stringify(value);

const constant = (comment: string, name: string, value: object | string | number): string =>
  `/** ${comment} */\nexport const ${name} = ${literal(value)}${typeof value !== 'object' ? '' : ' as const'};\n`;

const union = (comment: string, name: string, words: readonly string[]): string =>
  `/** ${comment} */\nexport type ${name} =\n${words.map((word) => `  | '${word}'`).join('\n')};\n`;

const paths = () => {
  const { mintToken, handshake, endAgentSession, act, getOwnApproval, delegate } = ENDPOINTS;
  return {
    platformKey: PLATFORM_KEY_PATH,
    token: mintToken.path,
    handshake: handshake.path,
    logout: endAgentSession.path,
    actions: act.path,
    approvals: getOwnApproval.path.replace('/{approvalId}', ''),
    delegations: delegate.path,
  };
};

const parts = (): readonly string[] => {
  const { idempotencyKey, requestId, retryAfter } = HEADERS;
  return [
    '// Written by `npm run generate -- sdk:words` from the contract, so that the published package stands alone. Not to be edited.\n',
    constant('Addresses at the gateway.', 'PATHS', paths()),
    constant('Headers that the client sends or reads.', 'HEADER_NAMES', { idempotencyKey, requestId, retryAfter }),
    constant('Headers of a webhook delivery.', 'WEBHOOK_HEADERS', WEBHOOK_HEADERS),
    constant(
      "How far the time of a webhook delivery may be from the receiver's clock.",
      'WEBHOOK_WINDOW_SECONDS',
      LIMITS.webhooks.replayWindowSeconds,
    ),
    constant('`typ` of the signed assertion by which an agent proves who it is.', 'ASSERTION_TYPE', ASSERTION_TYPE),
    constant('From weakest to strictest. A decision with any other effect is not understood, and so never acted on.', 'EFFECTS', EFFECTS),
    constant('How an environment applies decisions.', 'MODES', MODES),
    constant('Status of an action.', 'ACTION_STATUSES', ACTION_STATUSES),
    constant('Status of an approval.', 'APPROVAL_STATUSES', APPROVAL_STATUSES),
    union(
      'A code of the service. The list only grows within a version, so a code that is not listed here can come too.',
      'GatewayErrorCode',
      ERROR_CODES,
    ),
  ];
};

/** Returns the formatted text of that file. */
export const getWordsOfContract = (): string => {
  const biome = resolve(root, 'node_modules/.bin/biome');
  const { stdout, status, stderr } = spawnSync(biome, ['format', `--stdin-file-path=${WORDS_FILE}`], {
    cwd: root,
    input: parts().join('\n'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`biome could not format the words of the contract: ${stderr}`);
  return stdout;
};

/** The same words for the Python client. */
export const PYTHON_WORDS_FILE = 'sdks/python/src/svc_sdk/_wire_format.py';

const pythonConstant = (comment: string, name: string, value: object | string | number): string => {
  const json = JSON.stringify(value, undefined, 4);
  return `# ${comment}\n${name} = ${Array.isArray(value) ? `(${json.slice(1, -1).trimEnd()},\n)` : json.replaceAll(/(?<=[^[{,\s])\n/g, ',\n')}\n`;
};

/** Returns the text of the Python file. */
export const getPythonWordsOfContract = (): string => {
  const { idempotencyKey, requestId, retryAfter } = HEADERS;
  return [
    '"""Written by `npm run generate -- sdk:words` from the contract. Not to be edited."""\n',
    pythonConstant('Addresses at the gateway.', 'PATHS', paths()),
    pythonConstant('Headers that the client sends or reads.', 'HEADER_NAMES', { idempotencyKey, requestId, retryAfter }),
    pythonConstant('Headers of a webhook delivery.', 'WEBHOOK_HEADERS', WEBHOOK_HEADERS),
    pythonConstant(
      'Largest difference between a delivery and the clock of its receiver.',
      'WEBHOOK_WINDOW_SECONDS',
      LIMITS.webhooks.replayWindowSeconds,
    ),
    pythonConstant('`typ` of the signed assertion.', 'ASSERTION_TYPE', ASSERTION_TYPE),
    pythonConstant('From weakest to strictest. Any other effect is never acted on.', 'EFFECTS', EFFECTS),
    pythonConstant('How an environment applies decisions.', 'MODES', MODES),
    pythonConstant('States of an action.', 'ACTION_STATUSES', ACTION_STATUSES),
    pythonConstant('States of an approval.', 'APPROVAL_STATUSES', APPROVAL_STATUSES),
    pythonConstant('Codes of the service. The list only grows within a version.', 'ERROR_CODES', ERROR_CODES),
    pythonConstant('What a program or a language model does after an error, by code.', 'NEXT_STEPS', NEXT_STEPS),
  ].join('\n');
};
