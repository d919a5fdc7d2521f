-- The files of an installation, unless they are in a folder or a store for objects: the log.
create table stored_files (
  name text collate "C" not null,
  part bigint not null default 0 check (part >= 0),
  bytes bytea not null,
  primary key (name, part)
);
-- Most are hashes, which do not become smaller, and a range of a file is read without the rest of it.
alter table stored_files alter column bytes set storage external;
comment on table stored_files is 'Files of the installation, by name: the log. A file that is appended to has a part for each time';
comment on column stored_files.part is 'Offset of these bytes in the file';
