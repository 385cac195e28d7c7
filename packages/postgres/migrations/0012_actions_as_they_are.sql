-- Rows of up to half a page stay as they are: an explanation is folded before it comes here, and compressing what is left would cost the
-- database more time than everything else about recording a decision.
alter table actions set (toast_tuple_target = 4080);
