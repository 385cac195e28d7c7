import SCIMMY from 'scimmy';
import { holdsInherited } from '../answers/inherited-names.ts';
import { readScim, scimFault } from '../answers/scim-error.ts';

type Told = Readonly<Record<string, unknown>>;
type Operation = { readonly op?: unknown; readonly path?: unknown; readonly value?: unknown };

/** What nothing here keeps is passed over: directories send whatever attributes they were set up with. */
const isForeign = ({ path }: Operation): boolean => typeof path === 'string' && /^urn:(?!ietf:params:scim:schemas:core:2\.0:)/i.test(path);

const BOOLEAN = /^(true|false)$/i;
const withBoolean = (value: unknown): unknown => (typeof value === 'string' && BOOLEAN.test(value) ? /^true$/i.test(value) : value);

/** Some directories write what is true or false as words. */
const straightened = (operation: Operation): Operation => {
  const { path, value } = operation;
  if (path === 'active') return { ...operation, value: withBoolean(value) };
  if (path === undefined && typeof value === 'object' && value !== null && 'active' in value)
    return { ...operation, value: { ...value, active: withBoolean(value.active) } };
  return operation;
};

/** A resource after the operations of a patch (RFC 7644, section 3.5.2), which change nothing by themselves. */
export const patched = async (
  kind: 'User' | 'Group',
  told: Told,
  body: { readonly Operations: readonly unknown[]; readonly schemas: readonly string[] },
) => {
  if (holdsInherited(body.Operations)) return scimFault('invalidPath', 'An operation names what is no attribute.');
  return readScim(async () => {
    const operations = (body.Operations as readonly Operation[]).filter((each) => !isForeign(each)).map(straightened);
    if (operations.length === 0) return told;
    const request = { schemas: [...body.schemas], Operations: operations } as unknown as ConstructorParameters<
      typeof SCIMMY.Messages.PatchOp
    >[0];
    const message = new SCIMMY.Messages.PatchOp(request);
    const resource = kind === 'User' ? new SCIMMY.Schemas.User(told, 'in') : new SCIMMY.Schemas.Group(told, 'in');
    const after = (await message.apply(resource, async (each) => each)) as unknown;
    // Nothing at all was changed by it.
    if (after === undefined) return told;
    return JSON.parse(JSON.stringify(after)) as Told;
  });
};
