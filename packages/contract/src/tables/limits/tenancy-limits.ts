export const TENANCY_LIMITS = {
  /** Grace period before an organization is deleted, in which the deletion can be cancelled. */
  organizationDeletion: { graceDays: 7 },
  /** Workspaces that an organization can create, including archived ones: they are listed whole, and never removed. */
  workspaces: { perOrganizationMax: 200 },
  environments: { perOrganizationMax: 1_000 },
} as const;
