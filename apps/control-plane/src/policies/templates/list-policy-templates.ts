import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { policyTemplates } from '@svc/policy/templates/policy-templates.ts';
import type { PoliciesDeps } from '../deps.ts';

export const listPolicyTemplates: Handler<Endpoints['listPolicyTemplates'], PoliciesDeps> = () =>
  policyTemplates().map(({ id, name, description, parameters = [], rules, tests }) => ({
    id,
    name,
    description,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      sentence: parameter.sentence,
      schema: parameter.kind.schema,
      default: parameter.default,
      pointers: Object.keys(parameter.places).filter((pointer) => pointer.startsWith('/rules/')),
    })),
    rules: [...rules],
    tests: [...tests],
  }));
