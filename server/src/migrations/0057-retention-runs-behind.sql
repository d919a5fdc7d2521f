-- Retention that is far behind goes on in small steps for a day of runs, then catches up at once.

alter table retention_times add column runs_behind int not null default 0;
comment on column retention_times.runs_behind is 'How many runs in a row ended before the present';
