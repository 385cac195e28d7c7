type Named = {
  readonly default_role_id?: string | null | undefined;
  readonly role_mapping?: readonly { readonly role_id: string }[] | undefined;
};

/** Returns the roles that a body would assign, with their pointers. */
export const listAssignedRoles = ({ default_role_id, role_mapping = [] }: Named) => [
  ...(default_role_id ? [{ role_id: default_role_id, pointer: '/default_role_id' }] : []),
  ...role_mapping.map(({ role_id }, index) => ({ role_id, pointer: `/role_mapping/${index}/role_id` })),
];
