import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dumpSchema } from '../../server/src/adapters/database/dump-schema.ts'
import { migrate } from '../../server/src/adapters/database/migrate.ts'
import { openPostgres } from '../../server/src/adapters/database/postgres.ts'
import { migrationsFolder } from '../../server/src/adapters/database/migration-files.ts'
import { authorizationPage } from '../../server/test/authorization-table.ts'
import { startSharedPostgres } from '../../server/test/shared-postgres.ts'
import { silentLog } from '../../server/test/silent-log.ts'
import { vectors } from '../../proof/src/vectors/vectors.fixture.ts'
import { asvsPage } from './asvs.ts'
import { commonPasswords, commonPasswordsFile } from './common-passwords.ts'
import { coverageOf, coveragePage, readTests } from './coverage.ts'
import { errorsPage } from './errors-page.ts'
import { scorecardPage } from './scorecard.ts'
import { servicesConfiguration, servicesPage } from './service-paths.ts'
import { tableTypes } from './table-types.ts'

/** Rewrites the generated files: API documents, schema, table types, proof vectors and generated pages. */
const root = join(import.meta.dirname, '../..')

const written = spawnSync(process.execPath, ['contract/emit/write.ts'], { cwd: root, stdio: 'inherit' })
if (written.status !== 0) process.exit(1)

await using postgres = await startSharedPostgres()
const connection = { connectionString: postgres.connectionString }
await migrate({ connection, log: silentLog })
await using database = openPostgres({
  connection,
  applicationName: 'dump',
  maxConnections: 2,
  log: silentLog,
})
await writeFile(join(migrationsFolder, 'schema.sql'), await dumpSchema(database.query))
await writeFile(join(root, 'server/src/ports/database/tables.ts'), await tableTypes(database.query))
await writeFile(join(root, 'docs/authorization.md'), authorizationPage())
await writeFile(join(root, 'docs/coverage.md'), coveragePage(coverageOf(await readTests(root))))
await writeFile(join(root, 'docs/errors.md'), errorsPage())
await writeFile(join(root, 'docs/reliability-scorecard.md'), scorecardPage())
await writeFile(join(root, 'docs/asvs.md'), asvsPage())
await writeFile(join(root, 'docs/services.md'), servicesPage())
await writeFile(join(root, 'deploy/nginx/services.conf'), servicesConfiguration())
await writeFile(join(root, commonPasswordsFile), await commonPasswords())
for (const [group, list] of Object.entries(await vectors()))
  await writeFile(
    join(root, `proof/vectors/${group}.json`),
    `[\n${list.map((vector) => JSON.stringify(vector)).join(',\n')}\n]\n`,
  )
process.stdout.write(
  'wrote the API documents, the schema, the table types, the proof vectors and the generated pages in docs/\n',
)
