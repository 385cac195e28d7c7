type Asked = { readonly role_names: readonly string[]; readonly people: readonly string[]; readonly quorum: number };

/** Describes who may decide an approval, and how many are required. */
export const describeDeciders = ({ role_names, people, quorum }: Asked): string => {
  const named = people.length === 0 ? [] : [people.length === 1 ? 'one listed person' : `${people.length} listed people`];
  return `${[role_names.join(' and '), ...named].filter((words) => words !== '').join(', or ')} (${quorum} needed)`;
};
