/** Help text shared by all commands that work on an installation. */
export const installationHelp = `Works on the data folder (MILLSEAL_DATA_DIR), with or without a running server, or on the database of DATABASE_URL.
millseal serve --help lists all settings.`
