import { backUp } from '../src/compose/backup.ts'
import { readConfig } from '../src/config.ts'

/** Makes the backup that its arguments name, with the settings of its environment: a process that a test can kill. */
const [name = '', keyFile] = process.argv.slice(2)
await backUp(readConfig(process.env), { name, keyFile, includeKeys: false })
