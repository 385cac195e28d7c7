/**
 * Prints the help of a script and ends where it is asked for, and ends with 2 on a word that the script does not take, so that none begins with
 * what takes minutes, or writes files, on a word that was meant otherwise.
 */
export const endOnOtherWords = (usage: string, taken = /^(?!)/): void => {
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = words.filter((word) => !taken.test(word));
  if (unknown.length === 0) return;
  console.error(`${unknown.join(' ')} is not recognized.\n\n${usage}`);
  process.exit(2);
};
