import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { NounTests } from '../noun-tests.ts';
import { reason } from '../noun-tests.ts';
import type { Play } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

const getToken = ({ places }: NounScene): string => places.ENFORCE.token;

/** Creates a pending approval of a request that can be edited. */
const holdOne = async (scene: NounScene): Promise<string> => {
  const body = { tool: 'held', parameters: { count: 5 } };
  return (await scene.ask(getToken(scene), 'POST', '/gateway/v1/actions', body)).json.error.details.approval_id;
};

const getApprover = ({ database, tenant }: NounScene) => insertPerson(database, tenant.organization_id, 'approver');

const post = (scene: NounScene, token: string, approvalId: string, step: string, body: object): Promise<TestResponse> =>
  call(scene.planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/${step}`, { token, body });

type Emitted = 'approval.vote_cast' | 'approval.approved' | 'approval.denied' | 'approval.edited';

/** Performs one approver's step; returns the events about the approval. */
const byApprover = async <Type extends string>(
  scene: NounScene,
  step: string,
  body: object | ((scene: NounScene) => Promise<object>),
  types: readonly Type[],
): Promise<Play<Type>[]> => {
  const [id, person] = [await holdOne(scene), await getApprover(scene)];
  const answer = await post(scene, person.token, id, step, typeof body === 'function' ? await body(scene) : body);
  return [{ answer, by: { type: 'USER', id: person.id }, events: types.map((type) => [type, 'approval', id] as const) }];
};

const asked = async (scene: NounScene): Promise<string> => {
  const [id, person] = [await holdOne(scene), await getApprover(scene)];
  await post(scene, person.token, id, 'questions', { question: 'Why?' });
  return id;
};

const byAgent = async <Type extends string>(
  scene: NounScene,
  id: string,
  step: string,
  body: object,
  type: Type,
): Promise<Play<Type>[]> => {
  const answer = await scene.ask(getToken(scene), 'POST', `/gateway/v1/approvals/${id}/${step}`, body);
  return [{ answer, by: { type: 'AGENT', id: scene.places.ENFORCE.agent.id }, events: [[type, 'approval', id]] }];
};

const byOwner = async <Type extends string>(
  scene: NounScene,
  id: string,
  step: string,
  body: object,
  type: Type,
): Promise<Play<Type>[]> => [{ answer: await scene.send('POST', `/v1/approvals/${id}/${step}`, body), events: [[type, 'approval', id]] }];

const votes = <const Types extends readonly Emitted[]>(...types: Types): Types => types;

export const approvalTests = {
  scopes: { approval: ownColumns('approvals') },
  bodies: () => ({
    approveApproval: {},
    denyApproval: { reason },
    editApproval: { parameters: {} },
    withdrawVote: {},
    handOverApproval: { user_id: 'usr_00000000000000000000000000' },
    askAboutApproval: { question: 'Why?' },
    answerAboutApproval: { answer: 'Because.' },
    cancelApproval: { reason },
    answerOwnApproval: { answer: 'Because.' },
    cancelOwnApproval: {},
  }),
  recipes: {
    approveApproval: (scene) => byApprover(scene, 'approve', {}, votes('approval.vote_cast', 'approval.approved')),
    denyApproval: (scene) => byApprover(scene, 'deny', { reason: 'test' }, votes('approval.vote_cast', 'approval.denied')),
    editApproval: (scene) =>
      byApprover(scene, 'edit', { parameters: { count: 4 } }, votes('approval.edited', 'approval.vote_cast', 'approval.approved')),
    withdrawVote: async (scene) => {
      const [id, person] = [await holdOne(scene), await getApprover(scene)];
      await post(scene, person.token, id, 'approve', {});
      const answer = await post(scene, person.token, id, 'withdraw', {});
      return [{ answer, by: { type: 'USER', id: person.id }, events: [['approval.vote_withdrawn' as const, 'approval', id] as const] }];
    },
    handOverApproval: (scene) =>
      byApprover(scene, 'delegate', async (each) => ({ user_id: (await getApprover(each)).id }), ['approval.delegated'] as const),
    askAboutApproval: (scene) => byApprover(scene, 'questions', { question: 'Why?' }, ['approval.info_requested'] as const),
    answerAboutApproval: async (scene) =>
      byOwner(scene, await asked(scene), 'answer', { answer: 'Because.' }, 'approval.info_requested' as const),
    answerOwnApproval: async (scene) =>
      byAgent(scene, await asked(scene), 'answer', { answer: 'Because.' }, 'approval.info_requested' as const),
    cancelApproval: async (scene) => byOwner(scene, await holdOne(scene), 'cancel', { reason: 'test' }, 'approval.cancelled' as const),
    cancelOwnApproval: async (scene) => byAgent(scene, await holdOne(scene), 'cancel', {}, 'approval.cancelled' as const),
  },
} as const satisfies NounTests;
