/** Other package managers name themselves in that variable, too. */
export function findNpm() {
  const program = process.env.npm_execpath ?? ''
  return /[\\/]npm-cli\.c?js$/.test(program) ? [process.execPath, program] : ['npm']
}
