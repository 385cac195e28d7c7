import { readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import type { Child } from './child.ts';
import { buildHttpRequest } from './job.ts';
import { type LoadMeasure, measure } from './measure.ts';
import type { BenchPlan } from './plan.ts';
import type { BenchScene } from './scene.ts';
import type { BenchService } from './service.ts';

/** Every assertion is signed before the clock starts and redeemed once; agents alternate on each connection. */
export const mintTokens = async (plan: BenchPlan, service: BenchService, scene: BenchScene, generator: Child): Promise<LoadMeasure> => {
  const audience = await readAudience(service.gatewayUrl);
  const lanes: Buffer[][] = Array.from({ length: plan.connections }, () => []);
  for (let index = 0; index < plan.mints; index += 1) {
    const agent = scene.agents[index % scene.agents.length];
    if (agent === undefined) throw new Error('there are no agents');
    const body = { agent_id: agent.id, assertion: signAssertion(agent, audience), sdk: SDK };
    lanes[index % lanes.length]?.push(buildHttpRequest('/gateway/v1/token', body));
  }
  const target = { pid: service.gatewayPid, postgresPid: service.postgresPid };
  const port = Number(new URL(service.gatewayUrl).port);
  return (await measure(generator, target, { port, lanes, proof: '"token_type":"Bearer"' })).measure;
};
