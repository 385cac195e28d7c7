import { proveByTest, type Requirement, requirementMet } from '../requirement.ts';
import { BROWSER, OWN_ROLES, PERMISSION_SWEEP, ROLES_OF_DATABASE, ROWS, SETTINGS_PAGE, TENANT_SWEEP } from './tests.ts';

const SCOPES = proveByTest('e2e/attacks/scopes.test.ts');
const EVERY = 'every operation permits exactly the callers in the table';
const CATALOGUE =
  'the permission catalogue states for every permission what it allows, whether it needs a step-up, and whether the caller can grant it';

export const authorization: Readonly<Record<string, Requirement>> = {
  '8.1.1': requirementMet(1, 'Permissions per operation and row are documented.', OWN_ROLES(CATALOGUE), SETTINGS_PAGE('Who may do what')),
  '8.1.2': requirementMet(
    2,
    'Permissions per field are documented.',
    ROWS(`\${name} refuses an unknown member with a pointer to it`),
    SETTINGS_PAGE('Who may do what'),
  ),
  '8.2.1': requirementMet(
    1,
    'Every operation checks its permissions.',
    PERMISSION_SWEEP(EVERY),
    PERMISSION_SWEEP('every served operation is in the table'),
  ),
  '8.2.2': requirementMet(
    1,
    'Data is accessible to authorized callers only.',
    TENANT_SWEEP('nothing of another organization is shown, changed or distinguished from unknown objects, for any caller and form of id'),
    SCOPES('is not found on any row, by path or by body, and stays unchanged'),
  ),
  '8.2.3': requirementMet(
    2,
    'Fields are accessible to authorized callers only.',
    ROWS(`\${name} refuses an unknown member with a pointer to it`),
    OWN_ROLES('creating or editing a role requires all its permissions, before, after and at that moment'),
    proveByTest('apps/gateway/src/actions/actions/masks.test.ts')('masked parameters are not sent to the tool, the record or an event'),
  ),
  '8.3.1': requirementMet(
    1,
    'Authorization is enforced by the server, not by pages.',
    PERMISSION_SWEEP(EVERY),
    BROWSER('changes nothing without the token of this session and an own origin'),
  ),
  '8.4.1': requirementMet(
    2,
    'Tenants cannot affect each other.',
    TENANT_SWEEP('nothing of another organization is shown, changed or distinguished from unknown objects, for any caller and form of id'),
    ROLES_OF_DATABASE('shows a tenant its own rows and no others, in every table'),
    ROLES_OF_DATABASE('changes and deletes nothing of another tenant, and gives away nothing of its own'),
  ),
};
