import type { AttackPlace } from '../attacks/place.ts';
import { buildBody } from '../rows/bodies.ts';
import type { RowTestSetting } from '../rows/setting.ts';

const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

/** Returns every body by which a row can act on another scope's resources in addition to its path. */
export const listNamingBodies = (name: string, place: AttackPlace): readonly Record<string, unknown>[] => {
  const { tenant, agent, resources } = place;
  const members = [{ value: resources.directoryUserId }];
  if (name === 'createScimGroup' || name === 'replaceScimGroup') return [{ displayName: 'A group', members }];
  if (name === 'patchScimGroup') return [{ schemas: PATCH, Operations: [{ op: 'add', path: 'members', value: members }] }];
  const plain = buildBody(name, place as unknown as RowTestSetting);
  const { workspace_id, environment_id } = tenant;
  if (name === 'createApiKey')
    return [
      { ...plain, workspace_id },
      { ...plain, role_id: resources.roleId },
    ];
  if (['createWebhook', 'updateWebhook', 'createNotificationChannel', 'updateNotificationChannel'].includes(name))
    return [plain, { ...plain, workspace_id }, { ...plain, environment_id }, { ...plain, workspace_id, environment_id }];
  if (name === 'updateMember') return [{ role_id: resources.roleId }, { workspace_ids: [workspace_id] }];
  if (name === 'inviteMember')
    return [
      { ...plain, role_id: resources.roleId },
      { ...plain, workspace_ids: [workspace_id] },
    ];
  if (name === 'redeemCliSignIn') return [{ ...plain, request_id: resources.requestId }];
  if (name === 'activatePolicy' || name === 'runPolicyTests' || name === 'previewPolicyTests')
    return [{ ...plain, version_id: resources.versionId }];
  if (name === 'evaluateAction' || name === 'act')
    return [
      plain,
      { ...plain, tool: resources.toolId },
      { ...plain, approval_id: resources.approvalId },
      { ...plain, delegation_id: resources.delegationId },
    ];
  if (name === 'createDelegation' || name === 'simulateDelegation' || name === 'delegate')
    return [plain, { ...plain, parent_id: resources.delegationId }];
  // The target state is the current one, so a permitted caller changes nothing.
  if (name === 'bulkChangeAgents' || name === 'previewBulkChange') return [{ ...plain, agent_ids: [agent.id], operation: 'resume' }];
  if (name === 'createPolicy' || name === 'checkPolicy') {
    const targets = { WORKSPACE: workspace_id, ENVIRONMENT: environment_id, AGENT: agent.id, ORGANIZATION: tenant.organization_id };
    return Object.entries(targets).map(([scope, id]) => ({ ...plain, binding: { scope, id } }));
  }
  return [plain];
};
