import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { Governance } from '@svc/sdk/governance.ts';
import type { Whereabouts } from '../../data-folder/run-claim.ts';
import type { SandboxRequest } from '../../sandbox/sandbox.ts';
import { giveVoice } from '../agent-voice.ts';
import { CAPABILITIES, readTool, refundTool } from '../demo-tools.ts';
import { newAgentKey } from '../new-agent-key.ts';
import type { DemoScene, DemoStage, OrganizationWithOwner } from '../scene.ts';

/** Returns the bodies that the sandbox receiver got at one path, oldest first. */
const readReceived = async ({ sandboxOrigin, sandboxKey }: Whereabouts, path: string): Promise<readonly string[]> => {
  const answer = await fetch(`${sandboxOrigin}/requests`, { headers: { authorization: `Bearer ${sandboxKey}` } });
  const { requests } = (await answer.json()) as { readonly requests: readonly SandboxRequest[] };
  return requests
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.stringify(body))
    .reverse();
};

/** Registers an agent with its own key, and the two tools that it may use. */
export const registerAgent = async (stage: DemoStage, founded: OrganizationWithOwner): Promise<DemoScene> => {
  const { tell, where, run } = stage;
  const { owner, workspaceId, environmentId } = founded;
  tell.chapter('An agent with a key of its own, and two tools it may ask for');
  const { publicKey, privateKey } = newAgentKey();
  tell.say('The key pair is made here. The service gets the public half and never sees the other.');
  const { data } = await owner.ask(
    'createAgent',
    {
      body: {
        name: 'refund-bot',
        workspace_id: workspaceId,
        environment_id: environmentId,
        capabilities: Object.values(CAPABILITIES),
        public_key: publicKey,
      },
    },
    (result) => `${result.data.agent.id}, ${result.data.agent.status}`,
  );
  const agentId = data.agent.id;
  const path = `/refunds/${run}`;
  const register = async (declaration: ToolDeclaration): Promise<void> => {
    const tool = await owner.ask('createTool', { body: declaration }, ({ id }) => id);
    await owner.ask(
      'authorizeAgentForTool',
      { params: { toolId: tool.id }, body: { agent_id: agentId } },
      ({ name }) => `may ask for ${name}`,
    );
  };
  await register(refundTool(environmentId, where.sandboxOrigin, path));
  await register(readTool(environmentId));
  const governance = new Governance({ gatewayUrl: where.gatewayUrl, agentId, privateKey });
  const { mode, tools, expires_at } = await governance.handshake();
  tell.shows('agent', [
    `proves that it holds the private key, and gets a token until ${expires_at.slice(11, 16)} UTC`,
    `mode ${mode}; tools ${tools.map(({ name, kind }) => `${name} (${kind})`).join(', ')}`,
  ]);
  const received = (): Promise<readonly string[]> => readReceived(where, path);
  return { ...stage, ...founded, agentId, governance, agent: giveVoice(governance, tell), received };
};
