import { type RawBuilder, sql } from 'kysely';

/** True if a factor or recovery code of the alias counts in the organization: in all of them, or in this one by its provider. */
export const countsInOrganization = (alias: string, organization: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.vouched_by`)} is null or ${sql.ref(`${alias}.vouched_by`)} = ${organization})`;

/** True if the person of the column has a confirmed factor that counts in the organization. */
export const hasFactorInOrganization = (userColumn: string, organization: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from second_factors f where f.user_id = ${sql.ref(userColumn)} and f.confirmed_at is not null
    and ${countsInOrganization('f', organization)})`;

/** True if the person of the column has a confirmed factor that counts in every organization. */
export const hasOwnFactor = (userColumn: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from second_factors f where f.user_id = ${sql.ref(userColumn)} and f.confirmed_at is not null
    and f.vouched_by is null)`;
