import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { VersionBody } from '@svc/contract/policy-language.ts';
import { isRefusal, type Refusal } from '@svc/contract/refusal.ts';
import type { Call } from '@svc/http/call.ts';
import { findTemplate, policyTemplates } from '@svc/policy/policy-templates.ts';
import { readVersionBody } from './read-version-body.ts';

export type AskedVersion = { readonly name: string; readonly description: string; readonly body: VersionBody };

type Asked = AskedVersion | Refusal<'VALIDATION_FAILED' | 'INVALID_POLICY'>;
type CreateCall = Call<Endpoints['createPolicy']>;

const fromTemplate = (call: CreateCall, id: string): Asked => {
  for (const member of ['rules', 'tests'] as const) {
    if (call.body[member] !== undefined) return call.fault(`/${member}`, 'A template brings its own; leave this or the template out.');
  }
  const template = findTemplate(id);
  if (!template) {
    const ids = policyTemplates().map((one) => one.id);
    return call.fault('/template', `There is no such template; there are ${ids.join(', ')}.`);
  }
  const body = readVersionBody(template.rules, template.tests);
  if (isRefusal(body)) return body;
  const { name = template.name, description = template.description } = call.body;
  return { name, description, body };
};

/** What a new policy shall hold: the rules and tests that were sent, or those of a template. */
export const askedVersion = (call: CreateCall): Asked => {
  const { template, name, description = '', rules, tests = [] } = call.body;
  if (template !== undefined) return fromTemplate(call, template);
  if (rules === undefined) return call.fault('/rules', 'Send rules, or the id of a template.');
  if (name === undefined) return call.fault('/name', 'A policy has a name; only a template brings one.');
  const body = readVersionBody(rules, tests);
  return isRefusal(body) ? body : { name, description, body };
};
