import type { CodeTab } from '../../design/code-tabs.tsx';
import type { Action } from './action.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Formats the request of an action, and the reading of its record, as calls to copy. Tokens are variables. */
export const formatCalls = (
  action: Action,
  gatewayUrl: string,
): { readonly request: readonly CodeTab[]; readonly record: readonly CodeTab[] } => {
  const { id, tool, parameters, amount, currency, destination } = action;
  const derived = { ...(destination === null ? {} : { destination }) };
  const stated = amount === null || 'amount' in parameters ? {} : { amount, ...(currency === null ? {} : { currency }) };
  const body = { tool, parameters, ...stated, ...derived };
  const { tool: _, ...options } = body;
  return {
    request: [
      {
        name: 'curl',
        code: [
          `curl -X POST ${gatewayUrl}/gateway/v1/actions \\`,
          `  -H "authorization: Bearer $AGENT_TOKEN" -H 'content-type: application/json' \\`,
          `  -d ${quoted(JSON.stringify(body))}`,
        ].join('\n'),
      },
      { name: 'SDK', code: `const decision = await governance.act('${tool}', ${JSON.stringify(options, null, 2)});` },
    ],
    record: [
      { name: 'curl', code: `curl -H "authorization: Bearer $TOKEN" ${location.origin}/v1/actions/${id}` },
      { name: 'Client', code: `const action = await client.request('getAction', { params: { actionId: '${id}' } });` },
    ],
  };
};
