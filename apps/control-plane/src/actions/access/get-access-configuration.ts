import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ActionsDeps } from '../deps.ts';

/** Returns the AuthZEN 1.0 metadata with the public address of the control plane. */
export const getAccessConfiguration: Handler<Endpoints['getAccessConfiguration'], ActionsDeps> = (_call, { urls: { base } }) => ({
  policy_decision_point: base,
  access_evaluation_endpoint: `${base}/access/v1/evaluation`,
  access_evaluations_endpoint: `${base}/access/v1/evaluations`,
  search_subject_endpoint: `${base}/access/v1/search/subject`,
  search_resource_endpoint: `${base}/access/v1/search/resource`,
  search_action_endpoint: `${base}/access/v1/search/action`,
});
