import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { VersionBody } from '@svc/contract/policies/language.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { readVersionBody } from '@svc/operations/policies/versions/read-version-body.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { type FilledTemplate, fillTemplate } from '@svc/policy/templates/form/fill-template.ts';
import { findTemplate, policyTemplates } from '@svc/policy/templates/policy-templates.ts';
import { findActivationFaults } from '@svc/policy/trial/run-tests.ts';
import { validateVersion } from '@svc/policy/validate/validate-version.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';

export type RequestedVersion = { readonly name: string; readonly description: string; readonly body: VersionBody };

type Asked = RequestedVersion | Refusal<'VALIDATION_FAILED' | 'INVALID_POLICY'>;
type CreateCall = Call<Endpoints['createPolicy']>;

/** Returns the currency of the amounts in a version. */
const readCurrency = async ({ body, database, scope }: CreateCall): Promise<string> => {
  if (body.currency !== undefined) return body.currency;
  const organization = await readInTenant(database, scope, (tx) => readOrganization(tx, scope.organization_id));
  return organization.base_currency;
};

/** Returns why values that are each valid cannot be combined: the language rejects the result, or the template's own tests fail. */
const findContradiction = ({ rules, tests }: FilledTemplate): string | undefined => {
  const read = validateVersion({ rules, tests });
  if (!read.ok) return read.faults[0]?.message ?? '';
  const names = { policy_id: '', policy_name: '', version_id: '', version_number: 1 };
  const failing = findActivationFaults(compileVersion({ ...names, binding: { scope: 'ORGANIZATION', id: '' }, body: read.body }));
  return failing.length > 0 ? 'A test of the template would fail.' : undefined;
};

const fromTemplate = async (call: CreateCall, id: string): Promise<Asked> => {
  for (const member of ['rules', 'tests'] as const) {
    if (call.body[member] !== undefined) return call.fault(`/${member}`, 'A template brings its own; leave this or the template out.');
  }
  const template = findTemplate(id);
  if (!template) {
    const ids = policyTemplates().map((one) => one.id);
    return call.fault('/template', `There is no such template; there are ${ids.join(', ')}.`);
  }
  const filled = fillTemplate(template, call.body.values ?? {}, await readCurrency(call));
  if (!('rules' in filled)) return buildRefusal('VALIDATION_FAILED', undefined, { faults: filled });
  const contradiction = findContradiction(filled);
  if (contradiction !== undefined) return call.fault('/values', `These values do not go together. ${contradiction}`);
  const body = readVersionBody(filled.rules, filled.tests);
  if (isRefusal(body)) return body;
  const { name = template.name, description = template.description } = call.body;
  return { name, description, body };
};

/** Returns the content of a new policy: the given rules and tests, or those of a template. */
export const resolveVersionContent = async (call: CreateCall): Promise<Asked> => {
  const { template, name, description = '', values, rules, tests = [] } = call.body;
  if (template !== undefined) return fromTemplate(call, template);
  if (values !== undefined) return call.fault('/values', 'Values are for the parameters of a template; name one, or leave them out.');
  if (rules === undefined) return call.fault('/rules', 'Send rules, or the id of a template.');
  if (name === undefined) return call.fault('/name', 'A policy has a name; only a template brings one.');
  const body = readVersionBody(rules, tests);
  return isRefusal(body) ? body : { name, description, body };
};
