import type { Whereabouts } from '../../data-folder/run-claim.ts';
import type { Narrator } from '../narrator.ts';
import type { OrganizationWithOwner } from '../scene.ts';
import { askForHugeRefund, askForSmallRefund } from './ask-for-refunds.ts';
import { createOrganization } from './found-organization.ts';
import { guardFunction } from './guard-function.ts';
import { readRecord } from './read-record.ts';
import { registerAgent } from './register-agent.ts';
import { simulateRefund } from './simulate-refund.ts';
import { pauseEnvironment, revokeAgent } from './stop-agent.ts';
import { waitForPerson } from './wait-for-person.ts';
import { writePolicy } from './write-policy.ts';

/** Plays the whole story. Returns the owner's credentials. Throws a StoryFault as soon as a result differs. */
export const playStory = async (where: Whereabouts, run: string, tell: Narrator): Promise<OrganizationWithOwner['person']> => {
  const stage = { where, tell, run };
  const founded = await createOrganization(stage);
  const scene = await registerAgent(stage, founded);
  await writePolicy(stage, founded);
  await askForSmallRefund(scene);
  const actionId = await waitForPerson(scene);
  await askForHugeRefund(scene);
  await guardFunction(scene);
  await simulateRefund(scene);
  await pauseEnvironment(scene);
  await revokeAgent(scene);
  await readRecord(scene, actionId);
  return founded.person;
};
