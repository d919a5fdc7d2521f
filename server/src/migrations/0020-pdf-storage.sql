-- A PDF is compressed already: trying again costs a millisecond of the database for each.
alter table certificates alter column pdf set storage external;
