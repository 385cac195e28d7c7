import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');

const ENDPOINT = 'apps/gateway/src/peers/mcp/mcp-endpoint.test.ts';
const UPSTREAMS = 'apps/gateway/src/peers/mcp/mcp-upstreams.test.ts';
const SERVERS = 'apps/control-plane/src/peers/mcp/mcp-servers.test.ts';
const CLIENTS = 'e2e/peers/mcp-clients.test.ts';
const OAUTH = 'apps/gateway/src/agents/oauth/oauth.test.ts';
const TOKENS = 'apps/gateway/src/actions/execution/access-tokens.test.ts';
const CONNECTOR = 'apps/connector/src/connector.test.ts';

/** Complaints about gateways for MCP and A2A, each with the tests that prove it does not apply here: file and title. */
const COMPLAINTS: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  'a server that requires a sign-in looks empty': [
    [SERVERS, 'a server that requires a credential is reported as such instead of without tools'],
    [UPSTREAMS, 'reports a server that starts to require a credential in each call, and keeps its tools listed'],
  ],
  'metadata of the resource names another address than the client uses': [
    [OAUTH, 'getMcpServerResource, getOauthServerMetadata: a request without a token leads to the metadata, which names this gateway'],
  ],
  'an access token is not renewed, or renewed at another server': [
    [TOKENS, 'a server that issues no other refresh token is requested with the same one again'],
    [TOKENS, 'a refresh whose gateway is killed is taken over by others, and no credential is lost'],
  ],
  'the token of the agent is sent upstream': [
    [ENDPOINT, 'the token of the agent never reaches a server, and the secret of its credential is in one header'],
  ],
  'a token for one server opens another': [
    [OAUTH, 'issueOauthToken, getJwks: a token for one endpoint opens that endpoint only, and verifies under the published keys'],
    [UPSTREAMS, 'the same token calls only what it may at each server'],
  ],
  'a session lives in one replica': [
    ['e2e/peers/mcp-gateways.test.ts', 'clients of both eras lose no call when requests alternate between two gateways and one is killed'],
    [UPSTREAMS, 'any gateway answers any request of a legacy client'],
  ],
  'servers with and without sessions do not work side by side': [
    [CLIENTS, 'calls servers of both eras at the endpoint of all servers, and each call is one action of its server'],
  ],
  'a denial looks like a crash, or leaves no record': [
    [ENDPOINT, 'a refusal is a result that states the code, the reason and the remedy'],
    [ENDPOINT, 'a tool that the agent may not call is unknown to it, and the attempt is recorded'],
  ],
  'an unknown tool starts a new sign-in': [[UPSTREAMS, 'an unknown tool and an ungranted tool do not require another sign-in']],
  'a check of the output hides the error of the tool': [
    [UPSTREAMS, 'returns results whether or not they fit the output schema, and the text of an error'],
  ],
  'a schema is rewritten on its way': [[UPSTREAMS, 'definitions reach clients byte for byte, with every keyword of their schemas']],
  'one dead server empties the list of all': [
    [UPSTREAMS, 'a server that does not answer leaves the other servers usable and its own tools listed'],
  ],
  'tools disappear while a server is down': [
    [UPSTREAMS, 'a server that does not answer leaves the other servers usable and its own tools listed'],
    [ENDPOINT, 'an outdated listing stops calls until the server is listed again'],
  ],
  'a changed list is never seen, or tools stay at the old address': [
    [
      'apps/worker/src/jobs/list-mcp-servers.test.ts',
      'a server is listed when it is due, without an event if nothing changed, and quarantined if a definition did',
    ],
    [UPSTREAMS, 'a moved server is called at its new address alone'],
  ],
  'names are too long, or two are the same': [
    ['packages/peers/src/mcp/definitions/tool-names.test.ts', 'exposed names fit the APIs of models and differ'],
  ],
  'processes of stdio servers are left behind': [
    [CONNECTOR, 'no server outlives a connector that is killed with SIGKILL'],
    [CONNECTOR, 'an idle server is ended, and started again by the next request'],
    ['apps/cli/src/mcp/proxy.test.ts', 'no server outlives a proxy that is killed with SIGKILL'],
  ],
  'an approval is not bound to its call, or lost with its waiter': [
    [ENDPOINT, 'one of fifty identical concurrent calls is executed by one approval, and all get its result'],
    [ENDPOINT, 'without a timely approval the client gets instructions, and an identical call uses the approval once it is given'],
  ],
  'an approved call is not executed': [[CLIENTS, 'gets the result of a call that a person approves while it is held']],
  'a minute of silence ends a call': [[UPSTREAMS, 'a long call keeps its connection in use, and ends with the result']],
  'a secret that cannot be opened is sent as an empty one': [[UPSTREAMS, 'a revoked credential is reported before anything is sent']],
  'calls through the endpoint of all servers are missing in the record of one': [
    [CLIENTS, 'calls servers of both eras at the endpoint of all servers, and each call is one action of its server'],
  ],
  'a failed call marks the server as unreachable': [[UPSTREAMS, 'a failed call does not mark its server as unreachable']],
  'an ordinary description raises an alarm': [
    ['packages/peers/src/mcp/findings/findings.test.ts', 'raises no alarm for a tool that'],
    ['packages/peers/src/mcp/findings/findings.test.ts', 'finds nothing above low in the combined tools of the reference servers'],
  ],
  'a signed card is rewritten, or used after it was rejected': [
    [
      'apps/control-plane/src/peers/a2a/a2a-connections.test.ts',
      'verifyA2aConnection refuses forged cards, and marks an active connection as STALE from then on',
    ],
  ],
};

for (const [complaint, proofs] of Object.entries(COMPLAINTS))
  test(`a test proves that this complaint does not apply: ${complaint}`, () => {
    assert.ok(proofs.length > 0);
    for (const [file, title] of proofs) {
      const text = readFileSync(path.join(root, file), 'utf8');
      const titles = [...text.matchAll(/\btest\(\s*(['"`])(.*?)\1,/gsu)].map(([, , found = '']) => found);
      assert.ok(
        titles.some((each) => each.includes(title)),
        `${file} has no test "${title}"`,
      );
    }
  });
