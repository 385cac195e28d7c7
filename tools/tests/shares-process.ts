/** What a test does to its whole process, or reads of it: the files beside it in one process would meet that. */
const OF_THE_PROCESS = [
  /\bprocess\.(argv|chdir|cpuUsage|threadCpuUsage|env|exit|exitCode|kill|memoryUsage|off|on|once|stderr|stdout|title)\b/,
  /\bmock\./,
  /\bglobalThis\b/,
  // Not of an expression: pattern.exec(text) reads its text.
  /(?<!\.)\b(exec|execFile|execFileSync|execSync|fork|spawn|spawnSync)\(/,
  /\bnew (PerformanceObserver|Worker)\(/,
  /\b(monitorEventLoopDelay|setFlagsFromString|setDefaultResultOrder)\b/,
  // Every file of a process is loaded before the first test of it runs.
  /^(await|(export )?(const|let) .*= await)\b/m,
];

/** Whether a test file, by its text, needs nothing of a process that another file could not leave otherwise. */
export const sharesProcess = (text: string): boolean => !OF_THE_PROCESS.some((pattern) => pattern.test(text));
