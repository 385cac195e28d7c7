/**
 * The words after a command that takes none. True when it may run; otherwise its help was printed, or what is wrong with the words, and
 * nothing is to be done.
 */
export const mayRun = (words: readonly string[], help: string): boolean => {
  if (words.length === 0) return true;
  if (words.includes('--help') || words.includes('-h') || words[0] === 'help') console.log(help);
  else {
    console.error(`${words.join(' ')} is not recognized.\n\n${help}`);
    process.exitCode = 2;
  }
  return false;
};
