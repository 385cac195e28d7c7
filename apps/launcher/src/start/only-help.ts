/** Checks the arguments of a command that takes none. True if it may run; otherwise its help or the error was printed. */
export const mayRun = (words: readonly string[], help: string): boolean => {
  if (words.length === 0) return true;
  if (words.includes('--help') || words.includes('-h') || words[0] === 'help') console.log(help);
  else {
    console.error(`${words.join(' ')} is not recognized.\n\n${help}`);
    process.exitCode = 2;
  }
  return false;
};
