export const TENANCY_LIMITS = {
  /** Between the wish to delete an organization and its end, within which it is taken back. */
  organizationDeletion: { graceDays: 7 },
  /** How many of each an organization makes, archived ones among them: they are listed whole, and never removed. */
  workspaces: { perOrganizationMax: 200 },
  environments: { perOrganizationMax: 1_000 },
} as const;
