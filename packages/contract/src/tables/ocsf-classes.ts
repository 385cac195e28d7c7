/** Version of the OCSF schema that exports conform to. */
export const OCSF_VERSION = '1.3.0';

/** OCSF classes that events are exported as, with the numbers of their activities. */
export const OCSF_CLASSES = {
  API_ACTIVITY: { uid: 6003, category: 6, activities: { CREATE: 1, READ: 2, UPDATE: 3, DELETE: 4, OTHER: 99 } },
  AUTHENTICATION: { uid: 3002, category: 3, activities: { LOGON: 1, LOGOFF: 2, OTHER: 99 } },
  ACCOUNT_CHANGE: {
    uid: 3001,
    category: 3,
    activities: { CREATE: 1, PASSWORD_CHANGE: 3, DELETE: 6, ATTACH_POLICY: 7, MFA_ENABLE: 10, MFA_DISABLE: 11, OTHER: 99 },
  },
  ENTITY_MANAGEMENT: { uid: 3004, category: 3, activities: { CREATE: 1, READ: 2, UPDATE: 3, DELETE: 4, OTHER: 99 } },
  DETECTION_FINDING: { uid: 2004, category: 2, activities: { CREATE: 1, UPDATE: 2, CLOSE: 3, OTHER: 99 } },
} as const;

type Classes = typeof OCSF_CLASSES;

/** A class and one of its activities. */
export type OcsfClass = { [Name in keyof Classes]: readonly [Name, keyof Classes[Name]['activities']] }[keyof Classes];
