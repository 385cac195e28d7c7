/** Returns the scope of a row with columns of its own. */
export const ownColumns = (table: string): string => `select organization_id, workspace_id, environment_id from ${table} where id = $1`;

/** Returns the scope of a row with that of an agent. */
export const getAgentScope = (table: string, column: string): string =>
  `select t.organization_id, a.workspace_id, a.environment_id from ${table} t join agents a on a.id = t.${column} where t.id = $1`;

/** Returns the scope of a row of the whole organization. */
export const getWholeOrganization = (table: string): string =>
  `select organization_id, null as workspace_id, null as environment_id from ${table} where id = $1`;
