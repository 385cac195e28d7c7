/**
 * Prints the help of a script on request, and exits with 2 on an unknown argument, so that no mistyped command starts work of minutes or
 * writes files.
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
