within ;
package Within "files that say another 'within' than their place"
end Within;
