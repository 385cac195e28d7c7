import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { NounScene } from './scene.ts';

/** Creates an approved, unused request of an agent that another person registered; the owner approved. Someone else may approve as well. */
export const newApprovedRequest = async (scene: NounScene, agentId: string, toolId: string): Promise<string> => {
  const { database, tenant } = scene;
  const other = await insertPerson(database, tenant.organization_id, 'approver');
  await database.query('update agent_keys set made_by = $2 where agent_id = $1', [agentId, other.id]);
  await database.query('update agent_capabilities set granted_by = $2 where agent_id = $1', [agentId, other.id]);
  await insertPerson(database, tenant.organization_id, 'approver');
  const { approvalId } = await insertHeldAction(database, tenant, {}, { agent_id: agentId, tool_id: toolId });
  await scene.make('POST', `/v1/approvals/${approvalId}/approve`, {});
  return approvalId;
};

/** A tool that requires a capability no agent of the scene holds. */
export const newTool = ({ make, name, tenant }: NounScene, required_capability = 'more'): Promise<{ id: string }> =>
  make('POST', '/v1/tools', {
    name: name('tool').replace(' ', '-'),
    environment_id: tenant.environment_id,
    required_capability,
    kind: 'SDK',
  });
